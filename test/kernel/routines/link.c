// link.c - iperf3 between two guests whose network interfaces are one wire
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// words: MTU ADDRESS IPERF3-ARGUMENT... - this guest's own address is 10.0.0.ADDRESS
#include "guest.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int configure(const char *name, const char *address, int mtu) {
  int s = socket(AF_INET, SOCK_DGRAM, 0);
  struct ifreq request = {0};
  strncpy(request.ifr_name, name, IFNAMSIZ - 1);
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = inet_addr(address)};
  memcpy(&request.ifr_addr, &to, sizeof to);
  if (s < 0 || ioctl(s, SIOCSIFADDR, &request))
    return -1;
  request.ifr_mtu = mtu;
  if (mtu && ioctl(s, SIOCSIFMTU, &request))
    return -1;
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  return ioctl(s, SIOCSIFFLAGS, &request);
}

int run_link(char **words) {
  char address[32];
  snprintf(address, sizeof address, "10.0.0.%d", atoi(words[1]));
  if (configure("lo", "127.0.0.1", 0) || configure("eth0", address, atoi(words[0]))) {
    printf("memlift-user: no network: %s\n", strerror(errno));
    return 1;
  }
  printf("memlift-user: link\n");
  words[1] = "iperf3";
  char any;
  if (getrandom(&any, 1, 0) != 1) // so that iperf3 need not wait
    return 1;
  int status = 1;
  for (int i = 0; i < 20 && status; i++) { // until the other guest listens
    sync(); // counts.c counts from the last of these to the sync() at the end
    pid_t child = fork();
    if (child == 0) {
      execv("/iperf3", words + 1);
      _exit(127);
    }
    waitpid(child, &status, 0);
    if (status)
      sleep(1);
  }
  return status != 0;
}
