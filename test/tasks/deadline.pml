/* deadline.pml - limits of waits, and who sleeps no longer than until the next one
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The protocol of memlift_expire (waiter.c) and of the sleep in park.c; docs/hacker/tasks.md
 * describes it. Two waits have limits, 1 and 2; that of a task and that of a host thread, in either
 * order. The host thread looks for limits until its own wait is over, and leaves. The unit sleeps
 * until the next limit that it knows of, or until somebody rings. Time goes on as it likes.
 *
 * Checked always: when nothing moves any more, both waits are over.
 *
 * (none)       the host thread's limit is 1
 * HOST_LATER   it is 2
 *
 * tasks.py lists the configurations, and the variants in which one rule is left out: for each of
 * them Spin has to find a counterexample.
 */
#define NEVER 3
#define TASK 0
#define HOST 1

#ifdef HOST_LATER
#define LIMIT(w) ((w) == HOST -> 2 : 1)
#else
#define LIMIT(w) ((w) == HOST -> 1 : 2)
#endif

byte now, next = NEVER;
bool listed[2], over[2];
bool bell;

/* Lowers the next limit: `lowered`. */
inline lower(limit) {
  d_step {
    lowered = limit < next;
    next = (lowered -> limit : next)
  }
}

inline announce(w) {
  listed[w] = true;
  lower(LIMIT(w));
#ifndef NO_RING
  if
  :: lowered && w == TASK -> bell = true
  :: else
  fi;
#endif
  lowered = false
}

inline expire() {
  seen = now;
  if
  :: next > seen
  :: else ->
     next = NEVER;
     i = 0;
     do
     :: i == 2 -> break
     :: else ->
        if
        :: listed[i] && LIMIT(i) <= seen -> over[i] = true; listed[i] = false
        :: listed[i] && LIMIT(i) > seen -> lower(LIMIT(i)); any = any || lowered
        :: else
        fi;
        i++
     od;
#ifndef NO_WAKE
     if
     :: any -> bell = true
     :: else
     fi;
#endif
     i = 0;
     any = false;
     lowered = false
  fi;
  seen = 0
}

proctype task() {
  bool lowered;
  announce(TASK);
  over[TASK]
}

proctype host() {
  byte seen, i;
  bool lowered, any;
  announce(HOST);
  do
  :: over[HOST] -> break
  :: else ->
     expire();
     if
     :: over[HOST]
     :: else -> now >= next || now >= LIMIT(HOST) /* it sleeps no longer than for its own */
     fi
  od
}

proctype unit() {
  byte seen, i, until;
  bool lowered, any;
end:
  do
  :: bell = false;
     expire();
     until = next;
end_sleep:
     bell || now >= until
  od
}

proctype clock() {
  do
  :: now == 2 -> break
  :: else -> now++
  od
}

init {
  atomic {
    run task();
    run host();
    run unit();
    run clock()
  }
}
