/* ring.pml - the ring, its doorbell and its events, for all orders in which stores become visible
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * runtime/queue/ring.c, wait.c and the flag of an engine, with a memory in which every plain store is
 * pending for a while and stores of one thread overtake each other; what a release store or a named
 * barrier (runtime/queue/barriers.h) waits for is written out. Two producers try the flag; one that does
 * not get it leaves the work to the CPU. One device takes, gives slots back, and sleeps when there is
 * nothing: a wake-up that is lost ends the run with the device asleep and commands in the ring, which
 * Spin calls an invalid end state.
 *
 * engine.py checks it, and each of the variants below, in which one thing is left out and a counterexample
 * has to be found: NO_RELEASE, NO_RETURN, NO_FLAG, NO_LOOK, NO_ARM_DEVICE, NO_ARM_NOTIFIER.
 */
#define DEPTH 2
#define EACH 2 /* commands that each of two producers tries to send */

/* Memory, as others see it; and stores that are not visible yet. */
byte body[DEPTH], header[DEPTH], doorbell, returned, count, armed;
byte body_value[DEPTH], header_value[DEPTH], doorbell_value;
bool body_pending[DEPTH], header_pending[DEPTH], doorbell_pending, armed_pending;

byte produced;   /* the producers' own, under the flag */
bool taken_flag; /* who has it drives the ring */
bool asleep;
byte finished, sent, taken;

/* A pending store becomes visible at any time that its order allows. */
active proctype visibility() {
  byte i;
end:
  do
  :: atomic { body_pending[0] -> body[0] = body_value[0]; body_pending[0] = false }
  :: atomic { body_pending[1] -> body[1] = body_value[1]; body_pending[1] = false }
#ifdef NO_RELEASE
  :: atomic { header_pending[0] -> header[0] = header_value[0]; header_pending[0] = false }
  :: atomic { header_pending[1] -> header[1] = header_value[1]; header_pending[1] = false }
  :: atomic { doorbell_pending -> doorbell = doorbell_value; doorbell_pending = false }
#else /* a release store: after all that was stored before it */
  :: atomic { header_pending[0] && !body_pending[0] ->
              header[0] = header_value[0]; header_pending[0] = false }
  :: atomic { header_pending[1] && !body_pending[1] ->
              header[1] = header_value[1]; header_pending[1] = false }
  :: atomic { doorbell_pending && !body_pending[0] && !body_pending[1] &&
              !header_pending[0] && !header_pending[1] ->
              doorbell = doorbell_value; doorbell_pending = false }
#endif
  :: atomic { armed_pending -> armed = 1; armed_pending = false }
  od
}

/* memlift_event_notify. The count is a release read-modify-write: what was stored before is visible. */
inline notify() {
#ifndef NO_RELEASE
  !body_pending[0] && !body_pending[1] && !header_pending[0] && !header_pending[1] &&
    !doorbell_pending;
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

proctype producer() {
  byte n = 0, slot;
  bool was_armed;
  do
  :: n == EACH -> break
  :: else ->
     n++;
#ifdef NO_FLAG
     if
     :: true ->
#else
     if
     :: atomic { !taken_flag -> taken_flag = true } -> /* exchange, acquire */
#endif
        if
#ifdef NO_RETURN
        :: true ->
#else
        :: produced - returned < DEPTH -> /* memlift_ring_reserve */
#endif
           slot = produced % DEPTH;
           atomic { body_value[slot] = produced; body_pending[slot] = true }
           atomic { header_value[slot] = produced; header_pending[slot] = true }
           produced++;
           atomic { doorbell_value = produced; doorbell_pending = true }
           notify();
           sent++
        :: else /* no room: the CPU does it */
        fi;
        taken_flag = false
     :: else /* somebody else has it: the CPU does it */
     fi
  od;
  finished++
}

active proctype device() {
  byte seen, slot;
  do
  :: seen = count;
     if
     :: doorbell != taken -> /* memlift_ring_take: acquire, so in this order */
        slot = taken % DEPTH;
        assert(header[slot] == taken);
        assert(body[slot] == taken);
        taken++;
        returned = taken /* memlift_ring_return: release, after the loads */
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
