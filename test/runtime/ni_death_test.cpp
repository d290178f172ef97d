// ni_death_test.cpp - transport "shm": fork, exec and death of processes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ni_shm_support.h"

namespace {

// ---- fork, exec, death -----------------------------------------------------------------------

TEST_F(ShmNi, AChildHasNothingOfIt) {
  Ni a(options(0)), b(options(1));
  ASSERT_EQ(a.send(b, "x"), MEMLIFT_OK);
  Child child([&] {
    size_t size;
    if (!mappingsOf("/00.page").empty() || !mappingsOf("/01.bell").empty())
      return 1;
    for (int fd = 3; fd < 100; fd++) {
      char link[64], target[256];
      snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
      ssize_t n = readlink(link, target, sizeof target - 1);
      if (n > 0 && std::string(target, size_t(n)).find(path) != std::string::npos)
        return 2;
    }
    if (memlift_ni_peek(b, 0, &size) != MEMLIFT_NOT_PRESENT)
      return 3;
    memlift_ni_options own = options(2);
    memlift_ni *ni;
    if (memlift_ni_attach(&own, sizeof own, &ni) != MEMLIFT_OK)
      return 4;
    return sendTo(ni, 1, "from the child") == MEMLIFT_OK ? 0 : 5;
  });
  EXPECT_EQ(child.wait(), 0);
  EXPECT_EQ(b.receive(), "x");
  EXPECT_EQ(receive(b, 10 * seconds), "from the child");
}

// A child that lives on does not keep the pages of its parent.
TEST_F(ShmNi, AChildKeepsNoPageOfAParentThatDies) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  Child parent([&] {
    memlift_ni_options o = options(3);
    memlift_ni *ni;
    if (memlift_ni_attach(&o, sizeof o, &ni) != MEMLIFT_OK)
      return 1;
    pid_t grandchild = fork();
    if (grandchild == 0) {
      char ready = 'r';
      if (write(ends[1], &ready, 1) != 1)
        _exit(1);
      sleep(20);
      _exit(0);
    }
    if (write(ends[1], &grandchild, sizeof grandchild) < 0)
      return 2;
    pause();
    return 3;
  });
  char bytes[1 + sizeof(pid_t)];
  for (size_t n = 0; n < sizeof bytes;) {
    ssize_t got = read(ends[0], bytes + n, sizeof bytes - n);
    ASSERT_GT(got, 0);
    n += size_t(got);
  }
  EXPECT_EQ(Ni(options(3)).status, MEMLIFT_BUSY);
  parent.kill();
  EXPECT_EQ(Ni(options(3)).status, MEMLIFT_OK);
  pid_t grandchild;
  memcpy(&grandchild, bytes[0] == 'r' ? bytes + 1 : bytes, sizeof grandchild);
  signalTo(grandchild, SIGKILL);
  close(ends[0]), close(ends[1]);
}

TEST_F(ShmNi, AnExecEndsIt) {
  Child child([&] {
    memlift_ni_options o = options(3);
    memlift_ni *ni;
    if (memlift_ni_attach(&o, sizeof o, &ni) != MEMLIFT_OK ||
        mkdir((path + "/attached").c_str(), 0700) != 0)
      return 1;
    execl("/bin/sleep", "sleep", "20", nullptr);
    return 2;
  });
  memlift_status status = MEMLIFT_BUSY;
  for (int i = 0; i < 5000 && status != MEMLIFT_OK; i++) {
    if (access((path + "/attached").c_str(), F_OK) == 0) {
      Ni next(options(3));
      status = next.status;
      if (status == MEMLIFT_OK) {
        EXPECT_EQ(next.counters().taken_over, 1u);
      }
    }
    usleep(1000);
  }
  EXPECT_EQ(status, MEMLIFT_OK);
  EXPECT_EQ(rmdir((path + "/attached").c_str()), 0);
}

TEST_F(ShmNi, TheNextOwnerReadsWhatADeadOneHadNotPopped) {
  Ni a(options(0));
  memlift_ni_ticket ticket;
  Child reader([&] {
    memlift_ni_options o = options(1);
    memlift_ni *ni;
    size_t size = 0;
    if (memlift_ni_attach(&o, sizeof o, &ni) != MEMLIFT_OK || receive(ni, forever) != "first")
      return 1;
    while (size == 0)
      memlift_ni_peek(ni, 0, &size); // reads the second, and dies before it pops it
    raise(SIGKILL);
    return 2;
  });
  ASSERT_EQ(sendTo(a, 1, "first"), MEMLIFT_OK);
  ASSERT_EQ(sendTo(a, 1, "second", 0, &ticket), MEMLIFT_OK);
  EXPECT_TRUE(WIFSIGNALED(reader.wait()));
  Ni next(options(1));
  ASSERT_EQ(next.status, MEMLIFT_OK);
  EXPECT_EQ(next.counters().taken_over, 1u);
  EXPECT_EQ(next.receive(), "second");
  EXPECT_EQ(next.receive(), "");
  EXPECT_EQ(next.counters().redelivered, 1u);
  EXPECT_EQ(memlift_ni_wait(a, ticket, forever), MEMLIFT_OK);
  ASSERT_EQ(a.send(next, "third"), MEMLIFT_OK);
  EXPECT_EQ(next.receive(), "third");
  EXPECT_EQ(next.counters().redelivered, 1u);
}

TEST_F(ShmNi, ASenderLearnsOfADeath) {
  Ni a(options(0));
  memlift_ni_ticket ticket;
  Child reader([&] {
    memlift_ni_options o = options(1);
    memlift_ni *ni;
    return memlift_ni_attach(&o, sizeof o, &ni) == MEMLIFT_OK ? pause() : 1;
  });
  ASSERT_EQ(sendTo(a, 1, "unread", 0, &ticket), MEMLIFT_OK);
  EXPECT_EQ(memlift_ni_wait(a, ticket, 30 * ms), MEMLIFT_PENDING);
  reader.kill();
  uint64_t begin = memlift_now();
  EXPECT_EQ(memlift_ni_wait(a, ticket, 30 * seconds), MEMLIFT_NOT_PRESENT);
  EXPECT_LT(memlift_now() - begin, 10 * seconds);
  Ni next(options(1)); // which does not get what the sender was told has gone
  EXPECT_EQ(next.receive(), "");
}

TEST_F(ShmNi, ADeadSendersMessagesAreReadUntilItsPageIsTaken) {
  Ni box(options(0));
  auto sendAndDie = [&] {
    Child sender([&] {
      memlift_ni_options o = options(1);
      memlift_ni *ni;
      if (memlift_ni_attach(&o, sizeof o, &ni) != MEMLIFT_OK || sendTo(ni, 0, "1") != MEMLIFT_OK)
        return 1;
      sendTo(ni, 0, "2", MEMLIFT_NI_CHAIN);
      raise(SIGKILL);
      return 2;
    });
    EXPECT_TRUE(WIFSIGNALED(sender.wait()));
  };
  sendAndDie();
  EXPECT_EQ(box.receive(), "1");
  EXPECT_EQ(box.receive(), "2"); // its chain holds nobody up
  sendAndDie();
  Ni next(options(1)); // withdraws them
  EXPECT_EQ(box.receive(), "");
  ASSERT_EQ(next.send(box, "3", MEMLIFT_NI_CHAIN), MEMLIFT_OK);
  EXPECT_EQ(box.receive(), "3");
}

// A chain that waits for a receiver that never reads, whose sender dies: others are not held up.
TEST_F(ShmNi, AChainThatADeadSenderLeftHoldsNobodyUp) {
  Ni never(options(0)), box(options(1)), other(options(3));
  Child sender([&] {
    memlift_ni_options o = options(2);
    memlift_ni *ni;
    if (memlift_ni_attach(&o, sizeof o, &ni) != MEMLIFT_OK || sendTo(ni, 0, "1") != MEMLIFT_OK)
      return 1;
    sendTo(ni, 1, "2", MEMLIFT_NI_CHAIN);
    raise(SIGKILL);
    return 2;
  });
  EXPECT_TRUE(WIFSIGNALED(sender.wait()));
  EXPECT_EQ(box.receive(), "");
  ASSERT_EQ(other.send(box, "other"), MEMLIFT_OK);
  EXPECT_EQ(box.receive(), "other");
  Ni next(options(2));
  ASSERT_EQ(next.send(box, "next", MEMLIFT_NI_CHAIN), MEMLIFT_OK);
  EXPECT_EQ(box.receive(), "next");
}

} // namespace
