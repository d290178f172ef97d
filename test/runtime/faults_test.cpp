// faults_test.cpp - bytes that an engine has written before the signal of an inaccessible page
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends the contract of engine/touch.h: with every engine and every model, for fills and copies,
// called and submitted, nothing beyond the first missing byte is written when its signal comes,
// which is raised in the program's own thread while the engine is not held; and memory that the
// program or the system brings on demand is right in the end.
#include "async_support.h"

#include "engine/dax/dax.h"
#include "engine/dsa/dsa_transport.h"
#include "engine/template/template_transport.h"
#include "engine/threads/threads.h"
#include "engine/touch.h"
#include "model/dax_model.h"
#include "model/dsa_model.h"
#include "model/template_model.h"

#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <fcntl.h>
#include <functional>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

namespace {

constexpr size_t KiB = 1024, MiB = 1024 * KiB;
constexpr size_t Size = 3 * MiB / 2;
constexpr uint64_t Pattern = 0xf1e2d3c4b5a69788u;

// ---- The devices -------------------------------------------------------------------------------

dax_model dax;
dsa_model dsa;
template_model made_up;

struct Device {
  const char *name;
  const memlift_engine *engine;
  void (*prepare)();
};

const Device devices[] = {
    {"soft", &memlift_engine_soft, [] {}},
    {"threads", &memlift_engine_threads, [] { memlift_threads_use("2", nullptr); }},
    {"dax", &memlift_engine_dax,
     [] {
       memlift_dax_model_reset(&dax, testSeed(), DAX_LARGEST_PAGE);
       memlift_dax_model = &dax;
       memlift_dax_use(&memlift_dax_model_transport);
     }},
    {"dsa", &memlift_engine_dsa,
     [] {
       memlift_dsa_model_reset(&dsa, testSeed());
       memlift_dsa_model = &dsa;
       memlift_dsa_use(&memlift_dsa_model_transport);
     }},
    {"template", &memlift_engine_template,
     [] {
       memlift_template_model_reset(&made_up, testSeed());
       memlift_template_model = &made_up;
       memlift_template_use(&memlift_template_model_transport);
     }},
};

class Faults : public testing::TestWithParam<Device> {
protected:
  void SetUp() override {
    const char *reason;
    memlift_engine_stop();
    GetParam().prepare();
    if (engine().probe(&reason) != MEMLIFT_OK)
      GTEST_SKIP() << reason;
    ASSERT_EQ(memlift_session_start(&engine()), MEMLIFT_OK);
    __atomic_store_n(&memlift_engine_active, &engine(), __ATOMIC_RELEASE);
    __atomic_store_n(&memlift_engine_min, engine().min_bytes, __ATOMIC_RELAXED);
  }
  void TearDown() override {
    __atomic_store_n(&memlift_engine_active, nullptr, __ATOMIC_RELEASE);
    __atomic_store_n(&memlift_engine_min, SIZE_MAX, __ATOMIC_RELAXED);
    EXPECT_EQ(memlift_session_stop(&engine()), MEMLIFT_OK);
    memlift_threads_use(nullptr, nullptr);
    memlift_dax_use(nullptr);
    memlift_dsa_use(nullptr);
    memlift_template_use(nullptr);
  }
  const memlift_engine &engine() const { return *GetParam().engine; }
};
INSTANTIATE_TEST_SUITE_P(Of, Faults, testing::ValuesIn(devices),
                         [](const auto &info) { return std::string(info.param.name); });

// ---- Signals -----------------------------------------------------------------------------------

sigjmp_buf leave;
volatile sig_atomic_t signals;
void *volatile address;
pthread_t caller;

void leaveByJump(int, siginfo_t *info, void *) {
  if (!pthread_equal(pthread_self(), caller))
    _exit(98);
  signals = signals + 1;
  address = info->si_addr;
  siglongjmp(leave, 1);
}

// Calls, and comes back by the handler; false when there was no signal.
template <typename Call> bool raises(Call call) {
  struct sigaction action = {}, segv, bus;
  action.sa_sigaction = leaveByJump;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, &segv);
  sigaction(SIGBUS, &action, &bus);
  caller = pthread_self();
  signals = 0;
  if (sigsetjmp(leave, 1) == 0)
    call();
  sigaction(SIGSEGV, &segv, nullptr);
  sigaction(SIGBUS, &bus, nullptr);
  return signals == 1;
}

// Every way in which an operation may reach an engine.
struct Way {
  const char *name;
  void (*copy)(void *to, const void *from, size_t size);
  void (*fill)(void *to, size_t size);
};

void collect(memlift_token token) { EXPECT_EQ(memlift_wait(token, forever), MEMLIFT_OK); }

// After something that is done at once: held, and begun by whoever comes next.
memlift_token held() {
  static unsigned char from[64], to[64];
  memlift_token token = noToken;
  memlift_submit_copy(to, from, sizeof to, noToken, &token);
  return token;
}

const Way ways[] = {
    {"called", [](void *to, const void *from, size_t size) { memlift_copy(to, from, size); },
     [](void *to, size_t size) { memlift_fill64(to, Pattern, size); }},
    {"submitted",
     [](void *to, const void *from, size_t size) {
       memlift_token token;
       EXPECT_EQ(memlift_submit_copy(to, from, size, noToken, &token), MEMLIFT_OK);
       collect(token);
     },
     [](void *to, size_t size) {
       memlift_token token;
       EXPECT_EQ(memlift_submit_fill(to, Pattern, 8, size, noToken, &token), MEMLIFT_OK);
       collect(token);
     }},
    {"submitted after another",
     [](void *to, const void *from, size_t size) {
       memlift_token first = held(), token;
       EXPECT_EQ(memlift_submit_copy(to, from, size, first, &token), MEMLIFT_OK);
       collect(first);
       collect(token);
     },
     [](void *to, size_t size) {
       memlift_token first = held(), token;
       EXPECT_EQ(memlift_submit_fill(to, Pattern, 8, size, first, &token), MEMLIFT_OK);
       collect(first);
       collect(token);
     }},
    {"begun",
     [](void *to, const void *from, size_t size) {
       memlift_end(memlift_begin_copy(to, from, size));
     },
     [](void *to, size_t size) { memlift_end(memlift_begin_fill(to, Pattern, 8, size)); }},
};

// ---- Nothing beyond the fault ------------------------------------------------------------------

// Anonymous memory, or what a function maps. Filled with a byte, whatever can be.
class Memory {
public:
  explicit Memory(unsigned char with, size_t bytes = Size) : size(bytes) {
    begin = static_cast<unsigned char *>(mmap(nullptr, size, PROT_READ | PROT_WRITE,
                                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    memset(begin, with, size);
  }
  ~Memory() { munmap(begin, size); }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;
  unsigned char *begin;
  size_t size;
};

unsigned char expectedByte(bool fill, size_t i) {
  return fill ? patternByte(Pattern, 8, i) : static_cast<unsigned char>(7);
}

// Bytes before the fault have their old or their final value; bytes beyond have their old one.
// Memory that cannot be read (fault, fault + gone) is passed over.
void expectNothingBeyond(const unsigned char *to, bool fill, size_t fault, size_t gone) {
  size_t i = 0;
  while (i < fault && (to[i] == 0xC3 || to[i] == expectedByte(fill, i)))
    ++i;
  EXPECT_EQ(i, fault);
  for (i = fault + gone; i < Size && to[i] == 0xC3;)
    ++i;
  EXPECT_GE(i, Size) << i - fault << " bytes beyond the fault at " << fault;
}

// An operation that is right shows that the engine is free, and works.
void expectEngineWorks(const memlift_engine &engine) {
  Operation op(MEMLIFT_OPERATION_COPY, MiB / 4);
  Counted counted;
  EXPECT_TRUE(op.offload(engine));
  EXPECT_TRUE(op.right());
  EXPECT_GT(counted.since().engine_bytes, 0u);
}

// take(memory, fault): makes memory from there on unusable, in part; returns how many bytes of it.
void tryAll(const memlift_engine &engine, size_t fault, bool sources,
            const std::function<size_t(unsigned char *, size_t)> &take) {
  for (const Way &way : ways)
    for (int what = 0; what < (sources ? 3 : 2); ++what) { // fill, copy to, copy from
      SCOPED_TRACE(std::string(way.name) + (what == 0 ? ", fill" : what == 1 ? ", to" : ", from"));
      Memory from(7), to(0xC3);
      unsigned char *taken = what == 2 ? from.begin : to.begin;
      size_t gone = take(taken, fault);
      bool raised = raises([&] {
        if (what == 0)
          way.fill(to.begin, Size);
        else
          way.copy(to.begin, from.begin, Size);
      });
      EXPECT_TRUE(raised);
      EXPECT_GE(address, taken + fault);
      EXPECT_LT(address, taken + fault + 4096);
      expectNothingBeyond(to.begin, what == 0, fault, what == 2 ? 0 : gone);
      expectEngineWorks(engine);
    }
}

const size_t places[] = {0, 4096, MiB + 5 * 4096, Size - 4096};

TEST_P(Faults, NothingBeyondAGuardPageIsWritten) {
  for (size_t fault : places)
    tryAll(engine(), fault, true, [](unsigned char *memory, size_t at) {
      EXPECT_EQ(mprotect(memory + at, 4096, PROT_NONE), 0);
      return size_t(4096);
    });
}

TEST_P(Faults, NothingBeyondAHoleIsWritten) {
  tryAll(engine(), MiB, true, [](unsigned char *memory, size_t at) {
    EXPECT_EQ(munmap(memory + at, 4096), 0);
    return size_t(4096);
  });
}

TEST_P(Faults, NothingBeyondAReadOnlyPageIsWritten) {
  tryAll(engine(), MiB, false, [](unsigned char *memory, size_t at) {
    EXPECT_EQ(mprotect(memory + at, 4096, PROT_READ), 0);
    return size_t(4096);
  });
}

// SIGBUS. A file has pages of its own only up to its end; all that is mapped beyond is gone.
TEST_P(Faults, NothingBeyondTheEndOfAFileIsWritten) {
  int file = static_cast<int>(syscall(SYS_memfd_create, "faults", 0));
  ASSERT_GE(file, 0);
  tryAll(engine(), MiB, true, [&](unsigned char *memory, size_t at) {
    unsigned char byte = memory[0];
    EXPECT_EQ(ftruncate(file, Size), 0);
    EXPECT_EQ(mmap(memory, Size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0), memory);
    memset(memory, byte, Size);
    EXPECT_EQ(ftruncate(file, static_cast<off_t>(at)), 0);
    return Size - at;
  });
  close(file);
}

// The address space is too small for it: as much as there is of memory is touched, and no more.
TEST_P(Faults, SizesThatWrapTheAddressSpaceEndAtTheFirstHole) {
  for (size_t size : {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX - 4095})
    for (const Way &way : ways)
      for (bool fill : {false, true}) {
        Memory from(7), to(0xC3);
        ASSERT_EQ(munmap(to.begin + MiB, Size - MiB), 0);
        ASSERT_NE(
            mmap(to.begin + MiB, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
            MAP_FAILED);
        if (!fill && way.name[0] == 'b') // such regions overlap: the CPU's alone
          continue;
        EXPECT_TRUE(raises([&] {
          if (fill)
            way.fill(to.begin, size);
          else
            way.copy(to.begin, from.begin, size);
        })) << way.name
            << " " << size;
        EXPECT_EQ(address, to.begin + MiB) << way.name << " " << size;
      }
}

// ---- Memory on demand --------------------------------------------------------------------------

size_t residentPages(const unsigned char *memory, size_t size) {
  Bytes present(size / 4096);
  EXPECT_EQ(mincore(const_cast<unsigned char *>(memory), size, present.data()), 0);
  size_t count = 0;
  for (unsigned char p : present)
    count += p & 1;
  return count;
}

// Address space without reserved memory: only the pages before the fault become present.
TEST_P(Faults, NoPageBeyondTheFaultIsBrought) {
  for (const Way &way : ways) {
    Memory to(0);
    ASSERT_EQ(madvise(to.begin, Size, MADV_NOHUGEPAGE), 0);
    ASSERT_EQ(madvise(to.begin, Size, MADV_DONTNEED), 0);
    ASSERT_EQ(mprotect(to.begin + MiB, 4096, PROT_NONE), 0);
    EXPECT_TRUE(raises([&] { way.fill(to.begin, Size); }));
    EXPECT_LE(residentPages(to.begin, MiB), MiB / 4096) << way.name;
    EXPECT_EQ(residentPages(to.begin + MiB, Size - MiB), 0u) << way.name;
  }
}

TEST_P(Faults, PagesThatAreNotThereYetAreBrought) {
  for (const Way &way : ways) {
    Memory from(7), to(0xC3);
    ASSERT_EQ(madvise(to.begin, Size, MADV_DONTNEED), 0);
    way.copy(to.begin, from.begin, Size);
    ASSERT_EQ(memcmp(to.begin, from.begin, Size), 0) << way.name;
    ASSERT_EQ(madvise(to.begin, Size, MADV_DONTNEED), 0);
    way.fill(to.begin, Size);
    for (size_t i = 0; i < Size; i += 8)
      ASSERT_EQ(memcmp(to.begin + i, &Pattern, 8), 0) << way.name;
  }
}

// A userfaultfd, and the thread that brings each page of a region when it is asked for.
class Pager {
public:
  Pager(unsigned char *memory, size_t size, unsigned char with) {
    fd = static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK));
    if (fd < 0)
      return;
    uffdio_api api = {};
    api.api = UFFD_API;
    uffdio_register region = {};
    region.range = {reinterpret_cast<uintptr_t>(memory), size};
    region.mode = UFFDIO_REGISTER_MODE_MISSING;
    if (ioctl(fd, UFFDIO_API, &api) != 0 || ioctl(fd, UFFDIO_REGISTER, &region) != 0) {
      close(fd);
      fd = -1;
      return;
    }
    page.assign(4096, with);
    thread = std::thread([this] { serve(); });
  }
  ~Pager() { stop(); }
  bool works() const { return fd >= 0; }
  // Pages that it has brought.
  unsigned stop() {
    done = true;
    if (fd >= 0)
      thread.join(), close(fd);
    fd = -1;
    return brought;
  }

private:
  void serve() {
    while (!done) {
      pollfd ready = {fd, POLLIN, 0};
      uffd_msg message;
      if (::poll(&ready, 1, 10) != 1 || read(fd, &message, sizeof message) != sizeof message)
        continue;
      uffdio_copy copy = {};
      copy.dst = message.arg.pagefault.address & ~uint64_t(4095);
      copy.src = reinterpret_cast<uintptr_t>(page.data());
      copy.len = 4096;
      if (ioctl(fd, UFFDIO_COPY, &copy) == 0)
        ++brought;
    }
  }
  int fd = -1;
  unsigned brought = 0;
  Bytes page;
  std::atomic<bool> done{false};
  std::thread thread;
};

TEST_P(Faults, PagesOfAUserfaultfdAreBroughtByItsThread) {
  for (bool source : {false, true}) {
    Memory other(7), memory(0);
    ASSERT_EQ(madvise(memory.begin, Size, MADV_NOHUGEPAGE), 0);
    ASSERT_EQ(madvise(memory.begin, Size, MADV_DONTNEED), 0);
    Pager pager(memory.begin, Size, source ? 7 : 0);
    if (!pager.works())
      GTEST_SKIP() << "userfaultfd is refused by this system: " << strerror(errno);
    if (source)
      memlift_copy(other.begin, memory.begin, Size);
    else
      memlift_copy(memory.begin, other.begin, Size);
    EXPECT_EQ(pager.stop(), Size / 4096);
    EXPECT_EQ(memcmp(memory.begin, other.begin, Size), 0);
  }
}

// A page that is missing is met by the kernel in the usual order while another thread holds the
// engine.
TEST_P(Faults, ATakenEngineIsNotPreparedFor) {
  Memory to(0xC3);
  ASSERT_EQ(memlift_session_acquire(&engine()), MEMLIFT_OK);
  ASSERT_EQ(mprotect(to.begin + MiB, 4096, PROT_NONE), 0);
  Counted counted;
  memlift_request whole = {MEMLIFT_OPERATION_FILL, to.begin, nullptr, Pattern, Size};
  EXPECT_FALSE(raises([&] { EXPECT_FALSE(memlift_offload(&engine(), &whole)); }));
  EXPECT_EQ(counted.since().busy, 1u);
  EXPECT_EQ(to.begin[0], 0xC3);
  memlift_session_release(&engine());
}

// ---- The touch itself --------------------------------------------------------------------------

// Each page of both regions, at every phase of either, has a byte that is touched.
TEST(Touch, MeetsEachPageOfBoth) {
  for (size_t skew : {0u, 1u, 7u, 63u, 2048u, 4095u})
    for (size_t against : {0u, 1u, 100u, 4095u})
      for (size_t size : {1u, 2u, 4095u, 4096u, 4097u, 3u * 4096u, 5u * 4096u + 1u})
        for (int missing = 0; missing < 2; ++missing) {
          size_t to = skew, from = against, pages = (size + 4095 + 4095) / 4096 + 1;
          for (size_t p = 0; p < pages; ++p) {
            Memory destination(0xC3, 8 * 4096), source(7, 8 * 4096);
            size_t phase = missing ? from : to;
            bool used = p * 4096 < phase + size && (p + 1) * 4096 > phase;
            unsigned char *taken = missing ? source.begin : destination.begin;
            ASSERT_EQ(mprotect(taken + p * 4096, 4096, PROT_NONE), 0);
            memlift_request whole = {MEMLIFT_OPERATION_COPY, destination.begin + to,
                                     source.begin + from, 0, size};
            EXPECT_EQ(raises([&] { memlift_touch(&whole); }), used)
                << to << " " << from << " " << size;
            EXPECT_EQ(raises([&] { memlift_touch_unchanged(&whole); }), used);
          }
        }
}

// An operation that comes after others changes nothing until it begins.
TEST(Touch, LeavesTheBytesOfWhatOthersAreAtWorkOn) {
  Memory from(7, 8 * 4096), to(0xC3, 8 * 4096);
  memlift_request whole = {MEMLIFT_OPERATION_COPY, to.begin + 3, from.begin, 0, to.size - 8};
  memlift_touch_unchanged(&whole);
  for (size_t i = 0; i < to.size; ++i)
    ASSERT_EQ(to.begin[i], 0xC3);
}

// The second fills the first one's source. Only calls of this thread could begin it.
TEST_F(Async, WhatComesAfterDoesNotTouchBeforeItsTime) {
  start();
  Memory from(7), to(0xC3);
  memlift_token first, second;
  ASSERT_EQ(memlift_submit_copy(to.begin, from.begin, Size, noToken, &first), MEMLIFT_OK);
  ASSERT_EQ(memlift_submit_fill(from.begin, Pattern, 8, Size, first, &second), MEMLIFT_OK);
  for (size_t i = 0; i < Size; ++i)
    ASSERT_EQ(from.begin[i], 7) << i;
  EXPECT_EQ(memlift_wait(second, forever), MEMLIFT_OK);
  EXPECT_EQ(memlift_wait(first, forever), MEMLIFT_OK);
  EXPECT_EQ(to.begin[0], 7);
  EXPECT_EQ(memcmp(to.begin, to.begin + 1, Size - 1), 0);
  EXPECT_EQ(memcmp(from.begin, &Pattern, 8), 0);
}

} // namespace
