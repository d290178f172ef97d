// ni_shm_support.h - processes that use transport "shm", in a directory of their own
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_TEST_NI_SHM_SUPPORT_H
#define MEMLIFT_TEST_NI_SHM_SUPPORT_H

#include "ni_support.h"

#include <csignal>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <poll.h>
#include <sstream>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>

constexpr uint64_t ms = 1000000, seconds = 1000 * ms;

inline bool longRun() { return getenv("MEMLIFT_TEST_LONG") != nullptr; }

// A child process that runs `body`, whose result is its exit code.
class Child {
public:
  explicit Child(const std::function<int()> &body) {
    pid = fork();
    if (pid == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      _exit(body());
    }
  }
  ~Child() { kill(); }
  Child(const Child &) = delete;
  Child &operator=(const Child &) = delete;

  void kill() {
    if (pid > 0) {
      ::kill(pid, SIGKILL);
      wait();
    }
  }
  // Status of its end; -1: it has been waited for.
  int wait() {
    int status = -1;
    if (pid > 0)
      waitpid(pid, &status, 0);
    pid = -1;
    return status;
  }
  bool isSleeping() const {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string text((std::istreambuf_iterator<char>(stat)), std::istreambuf_iterator<char>());
    size_t at = text.rfind(") ");
    return at != std::string::npos && text[at + 2] == 'S';
  }

  pid_t pid = -1;
};

class ShmNi : public testing::Test {
protected:
  void SetUp() override { path = temporaryDirectory(); }
  void TearDown() override {
    for (const std::string &file : files())
      unlink((path + "/" + file).c_str());
    EXPECT_EQ(rmdir(path.c_str()), 0);
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    DIR *directory = opendir(path.c_str());
    while (dirent *entry = directory ? readdir(directory) : nullptr)
      if (entry->d_name[0] != '.')
        names.push_back(entry->d_name);
    if (directory)
      closedir(directory);
    return names;
  }
  memlift_ni_options options(unsigned page = MEMLIFT_NI_ANY_PAGE, uint32_t flags = 0) const {
    memlift_ni_options o = optionsOf("shm", path.c_str());
    o.first_page = page, o.flags = flags;
    return o;
  }
  static memlift_ni_address mailbox(unsigned page) { return memlift_ni_mailbox_at(0, page); }
  // Waits until a message can be sent there, and sends it.
  static memlift_status sendTo(memlift_ni *ni, unsigned page, const std::string &text,
                               uint32_t how = 0, memlift_ni_ticket *ticket = nullptr) {
    memlift_status status = MEMLIFT_NOT_PRESENT;
    for (int i = 0; i < 5000 && status == MEMLIFT_NOT_PRESENT; i++) {
      status = memlift_ni_enqueue(ni, 0, mailbox(page), text.data(), text.size(), how, 10 * seconds,
                                  ticket);
      if (status == MEMLIFT_NOT_PRESENT)
        usleep(1000);
    }
    return status;
  }
  static std::string receive(memlift_ni *ni, uint64_t nanoseconds) {
    char buffer[MEMLIFT_NI_PAYLOAD_MOST];
    size_t size = 0;
    memlift_status status =
        memlift_ni_dequeue(ni, 0, buffer, sizeof buffer, nanoseconds, &size, nullptr);
    return status == MEMLIFT_OK ? std::string(buffer, size) : "";
  }

  std::string path;
};

// Where files of that name are mapped, and how: "r--s".
inline std::vector<std::pair<void *, std::string>> mappingsOf(const std::string &file) {
  std::vector<std::pair<void *, std::string>> found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.size() > file.size() &&
        line.compare(line.size() - file.size(), file.size(), file) == 0)
      found.emplace_back(reinterpret_cast<void *>(strtoull(line.c_str(), nullptr, 16)),
                         line.substr(line.find(' ') + 1, 4));
  return found;
}

#endif
