// ni_ofi_test.cpp - transport ofi: two nodes of this machine, over the provider for TCP
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ni_support.h"

#include <arpa/inet.h>
#include <array>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

constexpr uint64_t second = 1000000000;

// The nodes 0 and 1, at ports that no other process of this test has.
std::string whereOf(unsigned self) {
  unsigned port = 20000 + unsigned(getpid()) % 200 * 128;
  return "self=" + std::to_string(self) +
         ",provider=tcp;ofi_rxm,0=127.0.0.1:" + std::to_string(port) +
         ",1=127.0.0.1:" + std::to_string(port + 64);
}

class Node : public Ni {
public:
  explicit Node(unsigned self, uint32_t protection_id = 0, unsigned page = MEMLIFT_NI_ANY_PAGE)
      : Node(whereOf(self), protection_id, page) {}
  explicit Node(const std::string &where, uint32_t protection_id = 0,
                unsigned page = MEMLIFT_NI_ANY_PAGE)
      : Ni(options(where, protection_id, page)) {}

  // The next message, which comes within a while; "" if it does not. Calls of both ends make a
  // connection, so the sender looks, too.
  std::string wait(Node &sender, memlift_ni_address *from = nullptr) {
    std::string text;
    for (uint64_t end = memlift_now() + 20 * second; text.empty() && memlift_now() < end;) {
      text = receive(0, from);
      memlift_ni_flush(sender, 0, 0);
    }
    return text;
  }
  // Waits for the message of a sender in another thread or process.
  std::string wait() {
    char buffer[MEMLIFT_NI_PAYLOAD_MOST];
    size_t size = 0;
    memlift_status s =
        memlift_ni_dequeue(ni, 0, buffer, sizeof buffer, 20 * second, &size, nullptr);
    return s == MEMLIFT_OK ? std::string(buffer, size) : "";
  }

private:
  static memlift_ni_options options(const std::string &where, uint32_t protection_id,
                                    unsigned page) {
    memlift_ni_options o = optionsOf("ofi", where.c_str());
    o.protection_id = protection_id;
    o.first_page = page;
    return o;
  }
};

// Outcome of a message, as far as the sender alone can make that out.
memlift_status outcomeOf(Node &from, memlift_ni_ticket ticket) {
  return memlift_ni_wait(from, ticket, 20 * second);
}

TEST(Ofi, BytesOfEverySizeArrive) {
  Node a(0), b(1);
  ASSERT_EQ(a.status, MEMLIFT_OK);
  ASSERT_EQ(b.status, MEMLIFT_OK);
  for (unsigned size = 1; size <= MEMLIFT_NI_PAYLOAD_MOST; size++) {
    std::string sent(size, 0);
    for (unsigned i = 0; i < size; i++)
      sent[i] = char(size * 7 + i * 31);
    memlift_ni_ticket ticket;
    memlift_ni_address from = {};
    Node &sender = size % 2 ? a : b, &receiver = size % 2 ? b : a;
    ASSERT_EQ(memlift_ni_enqueue(sender, 0, receiver.address(), sent.data(), size, 0, 20 * second,
                                 &ticket),
              MEMLIFT_OK);
    ASSERT_EQ(receiver.wait(sender, &from), sent);
    EXPECT_EQ(from.word, sender.address().word);
    EXPECT_EQ(outcomeOf(sender, ticket), MEMLIFT_OK);
  }
  EXPECT_EQ(a.counters().acknowledged, 128u);
  EXPECT_EQ(b.counters().received, 128u);
}

TEST(Ofi, ChainedMessagesKeepTheirOrder) {
  Node a(0), b(1);
  std::thread reader([&] {
    for (unsigned i = 0; i < 500; i++)
      ASSERT_EQ(b.wait(), std::to_string(i));
  });
  for (unsigned i = 0; i < 500; i++) {
    std::string text = std::to_string(i);
    ASSERT_EQ(memlift_ni_enqueue(a, 0, b.address(), text.data(), text.size(), MEMLIFT_NI_CHAIN,
                                 20 * second, nullptr),
              MEMLIFT_OK);
  }
  EXPECT_EQ(memlift_ni_flush(a, 0, 20 * second), MEMLIFT_OK);
  reader.join();
}

TEST(Ofi, AcknowledgedMeansRead) {
  Node a(0), b(1);
  memlift_ni_ticket ticket;
  ASSERT_EQ(a.send(b, "x", 0, &ticket), MEMLIFT_OK);
  for (int i = 0; i < 100; i++) {
    size_t size = 0;
    memlift_ni_peek(b, 0, &size);
    EXPECT_EQ(memlift_ni_status(a, ticket), MEMLIFT_PENDING);
    usleep(500);
  }
  EXPECT_EQ(b.wait(a), "x");
  EXPECT_EQ(outcomeOf(a, ticket), MEMLIFT_OK);
}

TEST(Ofi, AMailboxIsClosedToOtherProtectionIds) {
  Node a(0, 5), b(1, 6), c(1, 5);
  memlift_ni_ticket ticket;
  ASSERT_EQ(a.send(b, "x", 0, &ticket), MEMLIFT_OK);
  memlift_status status = MEMLIFT_PENDING;
  for (int i = 0; i < 40000 && status == MEMLIFT_PENDING; i++) {
    EXPECT_EQ(b.receive(), "");
    status = memlift_ni_status(a, ticket);
    usleep(500);
  }
  EXPECT_EQ(status, MEMLIFT_NOT_PRESENT);
  ASSERT_EQ(a.send(c, "y", 0, &ticket), MEMLIFT_OK);
  EXPECT_EQ(c.wait(a), "y");
}

TEST(Ofi, TheSenderLearnsThatNobodyIsThere) {
  Node a(0);
  memlift_ni_ticket ticket, chained;
  memlift_ni_address nobody = memlift_ni_mailbox_at(1, 9);
  ASSERT_EQ(memlift_ni_try_enqueue(a, 0, nobody, "x", 1, MEMLIFT_NI_TIMEOUT(255), &ticket),
            MEMLIFT_OK);
  ASSERT_EQ(memlift_ni_try_enqueue(a, 0, nobody, "y", 1, MEMLIFT_NI_CHAIN | MEMLIFT_NI_TIMEOUT(255),
                                   &chained),
            MEMLIFT_OK);
  memlift_status status = outcomeOf(a, ticket);
  EXPECT_TRUE(status == MEMLIFT_NOT_PRESENT || status == MEMLIFT_TIMED_OUT)
      << memlift_strerror(status);
  // Unless the first was given up before the second was sent, which begins a chain anew then.
  memlift_status second_status = outcomeOf(a, chained);
  EXPECT_TRUE(second_status == MEMLIFT_CANCELLED || second_status == status)
      << memlift_strerror(second_status);
  EXPECT_EQ(memlift_ni_try_enqueue(a, 0, memlift_ni_mailbox_at(7, 0), "x", 1, 0, nullptr),
            MEMLIFT_NOT_PRESENT); // no such node
  EXPECT_EQ(memlift_ni_try_enqueue(a, 0, memlift_ni_mailbox_at(1, 64), "x", 1, 0, nullptr),
            MEMLIFT_NOT_PRESENT); // no such page
}

TEST(Ofi, PagesAreTakenOnce) {
  Node a(0, 0, 0), again(0, 0, 0), next(0);
  EXPECT_EQ(a.status, MEMLIFT_OK);
  EXPECT_EQ(again.status, MEMLIFT_BUSY);
  ASSERT_EQ(next.status, MEMLIFT_OK);
  EXPECT_EQ(next.address().word, memlift_ni_mailbox_at(0, 1).word);
}

TEST(Ofi, WhereIsChecked) {
  for (const char *where :
       {"", "self=0", "0=127.0.0.1:7000", "self=1,0=127.0.0.1:7000", "self=0,0=127.0.0.1",
        "self=0,0=:7000", "self=0,0=127.0.0.1:0", "self=0,0=127.0.0.1:65500", "self=0,0",
        "self=x,0=127.0.0.1:7000", "self=0,4194304=127.0.0.1:7000", "self=0,provider="})
    EXPECT_EQ(Node(std::string(where)).status, MEMLIFT_INVALID_ARGUMENT) << where;
  EXPECT_EQ(Node("self=0,0=127.0.0.1:7000,provider=none").status, MEMLIFT_NOT_PRESENT);
  memlift_ni_options options = optionsOf("ofi");
  EXPECT_EQ(Ni(options).status, MEMLIFT_INVALID_ARGUMENT);
}

TEST(Ofi, ADescriptorTellsOfTheNextMessage) {
  Node a(0), b(1);
  int fd = -1;
  memlift_ni_ticket ticket;
  ASSERT_EQ(a.send(b, "first", 0, &ticket), MEMLIFT_OK); // connects
  ASSERT_EQ(b.wait(a), "first");
  ASSERT_EQ(outcomeOf(a, ticket), MEMLIFT_OK);
  ASSERT_EQ(memlift_ni_descriptor(b, 0, &fd), MEMLIFT_OK);
  ASSERT_EQ(memlift_ni_arm(b, 0), MEMLIFT_OK);
  std::thread sender([&] {
    usleep(20000);
    EXPECT_EQ(a.send(b, "second"), MEMLIFT_OK);
    EXPECT_EQ(memlift_ni_flush(a, 0, 20 * second), MEMLIFT_OK);
  });
  memlift_status armed = MEMLIFT_OK;
  for (int i = 0; i < 100 && armed == MEMLIFT_OK; i++) { // may become readable for other packets
    pollfd wait = {fd, POLLIN, 0};
    ASSERT_EQ(poll(&wait, 1, 20000), 1);
    armed = memlift_ni_arm(b, 0);
  }
  EXPECT_EQ(armed, MEMLIFT_BUSY); // there is a message
  EXPECT_EQ(b.receive(), "second");
  sender.join();
}

// Sockets of the Internet among the open files of this process: the provider has others, which only
// lead to itself.
unsigned countSockets() {
  unsigned count = 0;
  for (int fd = 0; fd < 1000; fd++) {
    sockaddr_storage at = {};
    socklen_t size = sizeof at;
    count += getsockname(fd, reinterpret_cast<sockaddr *>(&at), &size) == 0 &&
             (at.ss_family == AF_INET || at.ss_family == AF_INET6);
  }
  return count;
}

// A socket of the program's own that listens at the address of the nodes, and one connected to it.
std::array<int, 2> connectedSockets() {
  std::array<int, 2> fds = {socket(AF_INET, SOCK_STREAM, 0), socket(AF_INET, SOCK_STREAM, 0)};
  sockaddr_in at = {};
  socklen_t size = sizeof at;
  at.sin_family = AF_INET, at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(bind(fds[0], reinterpret_cast<sockaddr *>(&at), size), 0);
  EXPECT_EQ(listen(fds[0], 1), 0);
  EXPECT_EQ(getsockname(fds[0], reinterpret_cast<sockaddr *>(&at), &size), 0);
  EXPECT_EQ(connect(fds[1], reinterpret_cast<sockaddr *>(&at), size), 0);
  return fds;
}

// A child keeps no port and no connection of its parent, and all that is the program's.
TEST(Ofi, AChildHasNoneOfTheSockets) {
  std::array<int, 2> own = connectedSockets();
  unsigned before = countSockets();
  pid_t child;
  int line[2], status = 0;
  ASSERT_EQ(pipe(line), 0);
  {
    Node a(0, 0, 0), b(1, 0, 0);
    ASSERT_EQ(a.send(b, "there"), MEMLIFT_OK);
    ASSERT_EQ(b.wait(a), "there");
    ASSERT_EQ(b.send(a, "back"), MEMLIFT_OK);
    ASSERT_EQ(a.wait(b), "back");
    EXPECT_GT(countSockets(), before);
    child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      char byte;
      close(line[1]);
      bool good = read(line[0], &byte, 1) == 0; // the parent has gone on
      good &= fcntl(own[0], F_GETFD) >= 0 && fcntl(own[1], F_GETFD) >= 0;
      _exit(good ? int(countSockets() - before) : 99);
    }
    ASSERT_EQ(a.send(b, "again"), MEMLIFT_OK);
    EXPECT_EQ(b.wait(a), "again");
  }
  {
    Node a(0, 0, 0), b(1, 0, 0); // the ports are free, while the child lives
    EXPECT_EQ(a.status, MEMLIFT_OK);
    EXPECT_EQ(b.status, MEMLIFT_OK);
  }
  close(line[0]), close(line[1]);
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  close(own[0]), close(own[1]);
}

TEST(Ofi, OneEndGoesOnWhenTheOtherIsKilled) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  std::string where = whereOf(0), peer = whereOf(1);
  pid_t child = fork(); // before this process has an attachment
  ASSERT_GE(child, 0);
  if (child == 0) {
    Node b(peer, 0, 0);
    if (write(ready[1], "", 1) != 1)
      _exit(1);
    for (;;)
      b.wait();
  }
  char byte;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  Node a(where);
  memlift_ni_address to = memlift_ni_mailbox_at(1, 0);
  memlift_ni_ticket ticket;
  ASSERT_EQ(memlift_ni_enqueue(a, 0, to, "x", 1, 0, 20 * second, &ticket), MEMLIFT_OK);
  ASSERT_EQ(outcomeOf(a, ticket), MEMLIFT_OK);
  signalTo(child, SIGKILL);
  waitpid(child, nullptr, 0);
  for (int i = 0; i < 8; i++) {
    ASSERT_EQ(memlift_ni_enqueue(a, 0, to, "y", 1, MEMLIFT_NI_TIMEOUT(50), 20 * second, &ticket),
              MEMLIFT_OK);
    memlift_status status = outcomeOf(a, ticket);
    EXPECT_TRUE(status == MEMLIFT_NOT_PRESENT || status == MEMLIFT_TIMED_OUT)
        << memlift_strerror(status);
  }
  Node b(peer, 0, 0); // and another takes its place
  ASSERT_EQ(b.status, MEMLIFT_OK);
  memlift_status status = MEMLIFT_TIMED_OUT;
  for (int i = 0; i < 200 && status != MEMLIFT_OK; i++) {
    ASSERT_EQ(memlift_ni_enqueue(a, 0, to, "z", 1, MEMLIFT_NI_TIMEOUT(250), 20 * second, &ticket),
              MEMLIFT_OK);
    while ((status = memlift_ni_status(a, ticket)) == MEMLIFT_PENDING)
      b.receive();
  }
  EXPECT_EQ(status, MEMLIFT_OK);
  close(ready[0]), close(ready[1]);
}

} // namespace
