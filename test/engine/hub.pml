/* hub.pml - the hub of async/: waiters, cancelling, an abort, threads that leave, and a fork
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Two operations of runtime/async: number 0 is in the engine, number 1 comes after it and is the
 * CPU's. Two threads wait for 0 and one for 1; with CANCEL one of the two cancels 0 instead. The
 * engine completes its piece, or is deaf: then it may write until it has acknowledged an abort.
 * Before a chunk is done its pages are accessed, without a claim. A thread that does a chunk of an
 * operation that it does not wait for claims it first, and asks the system whether the pages are
 * there; only where they are missing, which happens once, it gives the claim back and accesses
 * them.
 * Each thread may leave for ever wherever signals are let through (a sleep, and that access), and a
 * handler may fork in each step of it: the run goes on as the child, without the engine and the
 * other threads, and with the bytes of what was under way unknown.
 *
 * Sleeps end when what they are for has changed, and never else: the slices of the implementation
 * are not needed. So whoever is never told ends the run asleep, which Spin calls an invalid end
 * state. Checked besides: nobody touches the bytes of what has been collected, they are right,
 * each operation is collected once, nothing is done that comes after one that was cancelled, and
 * the child calls no engine.
 *
 * engine.py checks both, and each of the variants below, in which one thing is left out and a
 * counterexample has to be found: SLEEPERS (an abort waits for those who sleep in the engine, as
 * it did once), LEAVE_LOCKED and LEAVE_BUSY (signals are let through with the lock held, or while
 * a chunk is done), NO_ACK (an abort does not wait for the device), NO_BUSY (a chunk is not
 * claimed), LOOK_FIRST (no claim before the pages of an operation that comes before are accessed),
 * NO_LOOK_AGAIN (what has changed during the look at pages is not looked at), NO_CAS (collecting
 * without the lock is a load and a store), NO_NOTIFY (the end of an operation wakes nobody),
 * NO_ADOPT (a child waits for the parent's engine), NO_REWIND (it believes what had
 * completed), NO_ORPHAN (it becomes one only where the lock is free), and with CANCEL NO_DROP (only
 * who cancels ends it) and NO_TELL (what comes after it begins all the same).
 */
mtype = { HELD, IN_FLIGHT, ENGINE_DONE, DONE, DROPPED, FREE };

mtype stage[2];
bool right[2];          /* the bytes */
bool busy[2], cancelling, dropped[2];
bool gone[2];           /* collected: whoever writes now destroys data */
byte collected[2];
byte writers[2];        /* threads in a chunk */

bool flight;            /* the hub has a piece of 0 in the engine */
bool has, record;       /* the device: may write; has completed */
bool deaf, late;        /* is silent; and has written all the same, what is wrong */
byte version;           /* of the event: memlift_hub_changed */
byte sleepers;
byte leaves = 1;        /* threads that may still leave: all others have to come to an end */

byte lock_owner = 255;  /* nobody */
byte missing = 1;       /* chunks that have pages missing */

bool child, orphaned;
byte forker = 255, generation;

/* ---- The device -------------------------------------------------------------------------- */

active proctype device() {
end:
  do
  :: atomic { !child && has && !deaf ->
              assert(!gone[0]); right[0] = true; has = false; record = true }
  :: atomic { !child && has && !deaf -> deaf = true }
  :: atomic { !child && has && deaf && !late -> assert(!gone[0]); late = true; right[0] = false }
  :: atomic { !child && !has && deaf -> break } /* it has acknowledged */
  od
}

/* ---- The hub, with the lock -------------------------------------------------------------- */

inline notify() {
#ifndef NO_NOTIFY
  version++
#else
  skip
#endif
}

/* memlift_op_over, and what memlift_hub_settle does then. */
inline over(x, how) {
  atomic {
    stage[x] = how;
    dropped[x] = (how == DROPPED);
    if
    :: x == 0 && stage[1] == HELD ->
       if
#ifndef NO_TELL
       :: how == DROPPED -> stage[1] = DROPPED
       :: how == DONE -> stage[1] = ENGINE_DONE
#else
       :: true -> stage[1] = ENGINE_DONE
#endif
       fi
    :: else
    fi;
    notify()
  }
}

/* memlift_op_engine_done: the engine has nothing of 0 any more. */
inline engine_done() {
  atomic {
    stage[0] = ENGINE_DONE;
    if
    :: right_known -> over(0, DONE)
#ifndef NO_DROP
    :: !right_known && cancelling && !busy[0] -> over(0, DROPPED)
#endif
    :: else -> notify()
    fi
  }
}

/* fork.c: what was under way is done again from the beginning. */
inline take_over() {
  atomic {
    orphaned = false;
    generation++;
    flight = false;
    sleepers = 0;
    busy[0] = false;
    busy[1] = false;
    if
#ifndef NO_ADOPT
    :: stage[0] == IN_FLIGHT || stage[0] == ENGINE_DONE ->
       if
       :: cancelling -> over(0, DROPPED)
       :: else -> stage[0] = ENGINE_DONE
       fi
#endif
    :: else
    fi
  }
}

/* A handler of thread t forks. Whether the bytes that the engine writes are in the child's copy is
 * unknown. */
inline fork_here(t) {
  atomic {
    !child && (lock_owner == 255 || lock_owner == t) ->
    child = true;
    forker = t;
    if
    :: has || (record && flight) -> right[0] = false
    :: true
    fi;
    has = false;
    writers[0] = 0;
    writers[1] = 0;
    if
    :: lock_owner == t ->
#ifndef NO_ORPHAN
       orphaned = true
#else
       skip
#endif
    :: else -> take_over()
    fi
  }
}

inline lock(t) { atomic { lock_owner == 255 -> lock_owner = t } }
inline unlock(t) {
  atomic {
    if
    :: orphaned -> take_over()
    :: else
    fi;
    lock_owner = 255
  }
}

#ifdef SLEEPERS
#define MAY_ABORT sleepers == 0
#define MAY_SLEEP_IN_ENGINE !deaf /* for then everybody is to come out */
#else
#define MAY_ABORT true
#define MAY_SLEEP_IN_ENGINE true
#endif

/* memlift_hub_progress. */
inline progress(t) {
  if
  :: orphaned || !flight
  :: !orphaned && flight && record ->
     atomic {
       if
#ifdef NO_REWIND
       :: true -> right_known = true
#else
       :: orphaned -> right_known = false
       :: else -> right_known = true
#endif
       fi;
       if
       :: right_known -> flight = false; engine_done()
       :: else
       fi
     }
  :: atomic {
       !orphaned && flight && !record && deaf && MAY_ABORT ->
       assert(!child); /* the parent's engine is not called */
#ifndef NO_ACK
       has = false /* the device answers, and writes no more */
#endif
     }
     atomic { right_known = false; flight = false; engine_done() }
  :: !orphaned && flight && !record && !deaf
  :: !orphaned && flight && !record && deaf && !(MAY_ABORT)
  fi
}

/* ---- Threads ----------------------------------------------------------------------------- */

inline take_token(x, how) {
  atomic {
    collected[x]++;
    assert(collected[x] == 1);
    assert(!(x == 0 && has) && writers[x] == 0);
    assert(how == DROPPED || right[x]);
    assert(how == DROPPED || x == 0 || !dropped[0]);
    gone[x] = true
  }
}

/* What a thread that waits for x works on. */
#define TARGET (x == 1 && stage[1] == HELD -> 0 : x)

proctype waiter(byte t; byte x; bool cancels) {
  byte y, seen, seen_generation;
  bool right_known;
  { /* Without the lock. */
  if
#ifdef NO_CAS
  :: stage[x] == DONE -> stage[x] = FREE; take_token(x, DONE); goto end_of_wait
#else
  :: atomic { stage[x] == DONE -> stage[x] = FREE; take_token(x, DONE) } goto end_of_wait
#endif
  :: else
  fi;
  lock(t);
  if
  :: cancels && stage[0] != DONE && stage[0] != DROPPED && stage[0] != FREE ->
     cancelling = true;
     if
     :: stage[0] == ENGINE_DONE -> atomic { right_known = false; engine_done() }
     :: else
     fi
  :: else
  fi;
  do
  :: true ->
     progress(t);
        if
     :: atomic { stage[x] == DONE -> stage[x] = FREE; take_token(x, DONE) } unlock(t); break
     :: atomic { stage[x] == DROPPED -> stage[x] = FREE; take_token(x, DROPPED) } unlock(t); break
     :: atomic { stage[x] == FREE -> assert(!cancels || dropped[x] || right[x]) } unlock(t); break
     :: else
     fi;
     y = TARGET;
     if
     :: stage[y] == ENGINE_DONE && !busy[y] && !(y == 0 && cancelling) ->
#ifdef LOOK_FIRST
        unlock(t);
        assert(x == y || !gone[y]);
        lock(t);
#endif
        if
        :: x != y && missing ->
           missing--;
           busy[y] = true; /* asks, with a claim */
           seen_generation = generation;
           unlock(t);
           lock(t);
           if
           :: seen_generation == generation ->
              atomic {
                busy[y] = false;
                if
                :: y == 0 && stage[0] == ENGINE_DONE -> right_known = false; engine_done()
                :: else
                fi
              }
           :: else
           fi;
           goto look
        :: x == y ->
look:
           unlock(t); /* the look at pages: anything may happen here */
           if
           :: leaves -> leaves--; goto end_of_wait /* the thread leaves */
           :: true
           fi;
           lock(t)
        :: x != y /* none is missing */
        fi;
        if
#ifndef NO_LOOK_AGAIN
        :: stage[y] == ENGINE_DONE && !busy[y] && !(y == 0 && cancelling) ->
#else
        :: true ->
#endif
#ifndef NO_BUSY
           busy[y] = true;
#endif
           seen_generation = generation;
           unlock(t);
           atomic { writers[y]++; assert(!gone[y]) }
#ifdef LEAVE_BUSY
           if
           :: leaves -> atomic { leaves--; writers[y]--; goto end_of_wait }
           :: true
           fi;
#endif
           atomic { assert(!gone[y]); right[y] = true }
           atomic { if :: writers[y] -> writers[y]-- :: else fi }
           lock(t);
           if
           :: seen_generation == generation ->
              atomic {
                busy[y] = false;
                if
                :: y == 1 -> if :: stage[1] == ENGINE_DONE -> over(1, DONE) :: else fi
                :: y == 0 -> if :: stage[0] == ENGINE_DONE -> over(0, DONE) :: else fi
                fi
              }
           :: else
           fi
#ifndef NO_LOOK_AGAIN
        :: else
#endif
        fi
     :: else ->
        seen = version;
        seen_generation = generation;
        if
        :: flight && MAY_SLEEP_IN_ENGINE ->
           sleepers++;
           unlock(t);
           if
           :: record || deaf || !has || child
           :: leaves -> leaves--; goto end_of_wait
           fi;
           lock(t);
           if
           :: seen_generation == generation -> sleepers--
           :: else
           fi
        :: else ->
           unlock(t);
           if
           :: version != seen || seen_generation != generation
           :: leaves -> leaves--; goto end_of_wait
           fi;
           lock(t)
        fi
     fi
#ifdef LEAVE_LOCKED
  :: leaves -> leaves--; goto end_of_wait
#endif
  od;
end_of_wait:
  skip
  } unless { child && forker != t } /* it does not exist there */
}

active proctype handler() {
end:
  if
  :: fork_here(0)
  :: fork_here(1)
  :: fork_here(2)
  :: true /* no fork */
  fi
}

init {
  atomic {
    stage[0] = IN_FLIGHT;
    stage[1] = HELD;
    flight = true;
    has = true;
    run waiter(0, 0, false);
#ifdef CANCEL
    run waiter(1, 0, true);
#else
    run waiter(1, 0, false);
#endif
    run waiter(2, 1, false)
  }
}
