/* ring.pml - the ring and its events, for all orders in which stores become visible
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * runtime/queue/ring.c, wait.c and the flag of an engine, with a memory in which every plain store is
 * pending for a while and stores of one thread overtake each other; what a release store or a named
 * barrier (runtime/queue/barriers.h) waits for is written out. Two producers try the flag; one that does
 * not get it leaves the work to the CPU. With MANY there is no flag: they claim slots, and commit them in
 * any order. One device takes, empties slots and gives them back, and sleeps when there is nothing: a
 * wake-up that is lost ends the run with the device asleep and commands in the ring, which Spin calls an
 * invalid end state. The doorbell's value is looked at by nobody here, and left out.
 *
 * engine.py checks both, and each of the variants below, in which one thing is left out and a
 * counterexample has to be found: NO_RELEASE, NO_RETURN, NO_FLAG without MANY, NO_LOOK, NO_ARM_DEVICE,
 * NO_ARM_NOTIFIER, NO_EMPTY, and NO_CLAIM with MANY.
 */
#define DEPTH 2
#define EACH 2 /* commands that each of two producers tries to send */

/* Memory, as others see it; and stores that are not visible yet. A header is 0 where the slot is empty,
 * else the number of its command, from 1 on. */
byte body[DEPTH], header[DEPTH], returned, count, armed;
byte body_value[DEPTH], header_value[DEPTH];
bool body_pending[DEPTH], header_pending[DEPTH], armed_pending;

byte produced;   /* the producers' own: under the flag, or competed for */
bool taken_flag; /* who has it drives the ring */
bool asleep;
byte finished, sent, taken;

/* A pending store becomes visible at any time that its order allows: a header, stored with release,
 * after the body that the same producer stored before it. */
active proctype visibility() {
end:
  do
  :: atomic { body_pending[0] -> body[0] = body_value[0]; body_pending[0] = false }
  :: atomic { body_pending[1] -> body[1] = body_value[1]; body_pending[1] = false }
#ifdef NO_RELEASE
  :: atomic { header_pending[0] -> header[0] = header_value[0]; header_pending[0] = false }
  :: atomic { header_pending[1] -> header[1] = header_value[1]; header_pending[1] = false }
#else
  :: atomic { header_pending[0] && !body_pending[0] ->
              header[0] = header_value[0]; header_pending[0] = false }
  :: atomic { header_pending[1] && !body_pending[1] ->
              header[1] = header_value[1]; header_pending[1] = false }
#endif
  :: atomic { armed_pending -> armed = 1; armed_pending = false }
  od
}

/* memlift_event_notify. The count is a release read-modify-write: what its thread stored before is
 * visible. */
inline notify(s) {
#ifndef NO_RELEASE
  !body_pending[s] && !header_pending[s];
#endif
#ifdef NO_ARM_NOTIFIER /* the load of armed may come before the store of count is seen */
  was_armed = armed;
  count++;
#else
  count++;
  was_armed = armed; /* memlift_barrier_arm in between: in this order */
#endif
  if
  :: was_armed -> asleep = false /* futex wake */
  :: else
  fi
}

/* The slot of command n: written, handed over, the device woken. */
inline send(n) {
  slot = n % DEPTH;
  atomic { body_value[slot] = n + 1; body_pending[slot] = true }
  atomic { header_value[slot] = n + 1; header_pending[slot] = true }
  notify(slot);
  sent++
}

#ifdef NO_RETURN
#define FREE_SLOT(n) true
#else
#define FREE_SLOT(n) (((n - returned) & 255) < DEPTH)
#endif

proctype producer() {
  byte n = 0, slot, number;
  bool was_armed;
  do
  :: n == EACH -> break
  :: else ->
     n++;
#ifdef MANY
     number = produced; /* memlift_ring_claim */
     do
     :: FREE_SLOT(number) ->
#ifdef NO_CLAIM
        produced = number + 1;
        send(number);
        break
#else
        if
        :: atomic { produced == number -> produced = number + 1 }
           send(number);
           break
        :: produced != number -> number = produced
        fi
#endif
     :: !FREE_SLOT(number) && produced != number -> number = produced
     :: !FREE_SLOT(number) && produced == number -> break /* no room: the CPU does it */
     od
#else
     if
#ifdef NO_FLAG
     :: true ->
#else
     :: atomic { !taken_flag -> taken_flag = true } -> /* exchange, acquire */
#endif
        if
        :: FREE_SLOT(produced) -> /* memlift_ring_reserve */
           number = produced;
           produced = number + 1;
           send(number)
        :: else /* no room: the CPU does it */
        fi;
        taken_flag = false
     :: else /* somebody else has it: the CPU does it */
     fi
#endif
  od;
  finished++
}

active proctype device() {
  byte seen, slot;
  do
  :: seen = count;
     slot = taken % DEPTH;
     if
     :: header[slot] != 0 -> /* memlift_ring_take: acquire, so in this order */
        assert(header[slot] == taken + 1);
        assert(body[slot] == taken + 1);
#ifndef NO_EMPTY
        header[slot] = 0;
#endif
        taken++;
        returned = taken /* memlift_ring_return: release, after the loads and the store */
     :: else ->
        armed_pending = true; /* memlift_event_wait */
#ifndef NO_ARM_DEVICE
        !armed_pending; /* memlift_barrier_arm */
#endif
        if
#ifdef NO_LOOK
        :: asleep = true
#else
        :: atomic { count == seen -> asleep = true } /* futex: looks and sleeps in one */
        :: count != seen
#endif
        fi;
        if
        :: !asleep
        :: finished == 2 && taken == sent -> break /* nothing is left to wake up for */
        fi;
        !armed_pending;
        armed = 0
     fi
  od
}

init {
  run producer();
  run producer()
}
