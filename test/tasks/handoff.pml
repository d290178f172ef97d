/* handoff.pml - waits for a semaphore and for a signal, ended by others and by the clock
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The protocol of runtime/tasks/{waiter,semaphore,line,signal}.c; docs/hacker/tasks.md describes it.
 * Tasks 0 and 1 and a host thread take a semaphore and give it back. Each access of what is shared
 * is a step; a loop around a compare and exchange is one step, as it writes what follows from what
 * it has compared. Who makes a task ready finds it on no stack, and blocked: what comes then is
 * pull.pml.
 *
 * Checked always: no more hold the semaphore than it counts; a task is made ready once, and not on
 * its stack; a wait without a limit is not ended by the clock; all processes come to their end; and
 * then nothing is left: no waiter, no lock, and the count is what it was.
 *
 * (none)   each of the three takes it once, with no limit
 * LIMITS   task 0 waits with a limit first, then without, and so does the host thread
 * SIGNALS  task 0 waits for a signal after that, which one more process sends at any time
 * BOTH     that wait has a limit first
 * GIFT     the count is 0; the host thread gives two at once, and task 0 waits with a limit
 *
 * tasks.py lists the configurations, and the variants in which one rule is left out: for each of
 * them Spin has to find a counterexample.
 */
#define HOST 2 /* the host thread, as a waiter */
#define WAITERS 3
#define NOBODY 255

#if defined(GIFT)
#define COUNT 0
#define GIVEN 2
#else
#define COUNT 1
#define GIVEN 0
#endif

mtype = { NONE, WAITING, PARKED, WOKEN, EXPIRED };
mtype = { OBJECT, SIGNAL };
mtype = { RUNNING, BLOCKED, READY, ENDED };

/* The wake word is {number, kind, state}. */
typedef waiter {
  byte number;
  mtype kind, state;
  bool limited; /* it has a deadline */
  bool listed;  /* its bit in `waiting` */
  bool linked;
}
waiter waiters[WAITERS];

/* Words of the tasks, of which the signal is a part. */
mtype word[HOST];
bool sign[HOST];
bool bell; /* of the host thread: rung since it looked; the code counts, and compares */

/* The semaphore's word is {count, expected}. */
byte count, expected;
bool lock;
byte line[WAITERS], length;

/* For the checks alone. */
byte holders, busy;
bool on_stack[HOST];

#define IS_OPEN(w) (waiters[w].state == WAITING || waiters[w].state == PARKED)
#ifdef NO_NUMBER
#define IS_NUMBER(w) true
#else
#define IS_NUMBER(w) (waiters[w].number == number)
#endif
#ifdef ANY_KIND
#define IS_KIND(w) true
#else
#define IS_KIND(w) (waiters[w].kind == kind)
#endif

/* ---- Waking --------------------------------------------------------------------------------- */

inline make_ready(w) {
  d_step {
    assert(!on_stack[w] && word[w] == BLOCKED);
    word[w] = READY
  }
}

/* Ends the wait whose number was seen, if it still is open: `won`, and `was` is its state before. */
inline end_wait(w, how) {
  d_step {
    won = IS_OPEN(w) && IS_NUMBER(w) && IS_KIND(w);
    was = waiters[w].state;
    if
    :: won -> waiters[w].state = how
    :: else
    fi
  }
  if
  :: won && w == HOST -> bell = true
#ifdef READY_AT_ONCE
  :: won && w != HOST -> make_ready(w)
#else
  :: won && w != HOST && was == PARKED -> make_ready(w)
#endif
  :: else
  fi;
  was = NONE;
  number = 0
}

inline wake(w, its_kind) {
  d_step {
    number = waiters[w].number;
    kind = its_kind;
    won = IS_OPEN(w) && IS_KIND(w)
  }
  if
  :: won -> end_wait(w, WOKEN)
  :: else -> number = 0
  fi
}

/* ---- Waiting -------------------------------------------------------------------------------- */

inline announce(its_kind, limit) {
  waiters[me].limited = limit;
  d_step {
    waiters[me].number++;
    waiters[me].kind = its_kind;
    waiters[me].state = WAITING
  }
  if
  :: limit -> waiters[me].listed = true
  :: else
  fi
}

inline close_wait() {
  d_step {
    waiters[me].listed = false;
    waiters[me].state = NONE
  }
}

/* Leaves the stack; then the unit parks the task, or makes it ready where its wait has ended. */
inline leave() {
  on_stack[me] = false;
  word[me] = BLOCKED;
#ifdef PARK_ANYWAY
  won = waiters[me].state == WAITING;
  if
  :: won -> waiters[me].state = PARKED
  :: else -> make_ready(me)
  fi;
#else
  d_step {
    won = waiters[me].state == WAITING;
    if
    :: won -> waiters[me].state = PARKED
    :: else
    fi
  }
  if
  :: won
  :: else -> make_ready(me)
  fi;
#endif
  d_step {
    word[me] == READY -> word[me] = RUNNING;
    on_stack[me] = true;
    won = false
  }
}

/* Works until the wait has ended. Tasks that it would take meanwhile are pull.pml's. */
inline doze() {
  do
  :: !IS_OPEN(me) -> break
  :: else ->
#ifdef BELL_AFTER_LOOK
     if
     :: IS_OPEN(me) -> bell = false; bell
     :: else
     fi
#else
     bell = false;
     if
     :: IS_OPEN(me) -> bell
     :: else
     fi
#endif
  od
}

inline sleep() {
  if
  :: me == HOST -> doze()
  :: me != HOST && IS_OPEN(me) -> leave()
  :: else
  fi;
  over = waiters[me].state == EXPIRED;
  close_wait()
}

/* ---- The semaphore -------------------------------------------------------------------------- */

inline lock_line() {
  d_step {
    !lock -> lock = true
  }
}

inline append() {
  d_step {
    line[length] = me;
    length++;
    waiters[me].linked = true
  }
}

/* Takes a waiter out of the line, wherever it is. */
inline remove(w) {
  d_step {
    i = 0;
    do
    :: line[i] == w -> break
    :: else -> i++
    od;
    length--;
    do
    :: i >= length -> break
    :: else -> line[i] = line[i + 1]; i++
    od;
    line[length] = 0;
    i = 0;
    waiters[w].linked = false
  }
}

inline take() {
#ifdef TAKE_WITHOUT_CAS
  taken = count > 0 && expected == 0;
  if
  :: taken -> count--
  :: else
  fi
#else
  d_step {
    taken = count > 0 && expected == 0;
    if
    :: taken -> count--
    :: else
    fi
  }
#endif
}

inline take_or_wait() {
  d_step {
    taken = count > 0;
    if
    :: taken -> count--
    :: else -> expected++
    fi
  }
}

/* Takes the semaphore: `over` if the time was over first. */
inline acquire(limit) {
  over = false;
  take();
  if
  :: taken
  :: else ->
     lock_line();
     take_or_wait();
#ifdef JOIN_AFTER_UNLOCK
     lock = false;
#endif
     if
     :: taken
     :: else -> announce(OBJECT, limit); append()
     fi;
#ifndef JOIN_AFTER_UNLOCK
     lock = false;
#endif
     if
     :: taken
     :: else -> sleep()
     fi;
     if
     :: over ->
        assert(limit);
        lock_line();
        won = waiters[me].linked;
        if
        :: won -> remove(me)
        :: else
        fi;
        lock = false;
        if
#ifdef QUIT_TWICE
        :: true -> expected--
#else
        :: won -> expected--
#endif
        :: else
        fi
     :: else
     fi
  fi;
  d_step {
    taken = false;
    won = false;
    if
    :: over
    :: else -> holders++; assert(holders <= COUNT + GIVEN)
    fi
  }
}

/* Gives to those who wait; `left` of them are left over. With the lock. */
inline give() {
  do
  :: left == 0 || length == 0 -> break
  :: else ->
     first = line[0];
     remove(first);
     expected--;
     wake(first, OBJECT);
     if
#ifdef GIVE_TO_EXPIRED
     :: true -> left--
#else
     :: won -> left--
#endif
     :: else
     fi;
     first = 0
  od
}

inline release(number_of) {
  left = number_of;
  d_step {
#ifdef RELEASE_BLINDLY
    won = false;
#else
    won = expected > 0;
#endif
    if
    :: won
    :: else -> count = count + left
    fi
  }
  if
  :: won ->
     lock_line();
     give();
     if
     :: left > 0 -> count = count + left
     :: else
     fi;
     lock = false
  :: else
  fi;
  won = false;
  left = 0
}

inline use() {
  if
  :: over
  :: else -> holders--; release(1)
  fi
}

/* ---- Signals -------------------------------------------------------------------------------- */

inline take_signal() {
  d_step {
    taken = sign[me];
    sign[me] = false
  }
}

/* Waits for the signal; `over` if the time was over first. */
inline wait_for_signal(limit) {
  over = false;
  take_signal();
  do
  :: taken || over -> break
  :: else ->
     announce(SIGNAL, limit);
#ifndef NO_LAST_LOOK
     take_signal();
#endif
     if
     :: taken -> close_wait()
     :: else -> sleep()
     fi;
     if
     :: !taken -> take_signal()
     :: else
     fi
  od;
  assert(!over || limit);
  over = over && !taken;
  taken = false
}

/* ---- Processes ------------------------------------------------------------------------------ */

proctype task(byte me) {
  byte number, first, left, i;
  mtype kind, was;
  bool taken, over, won;
#if defined(LIMITS) || defined(GIFT)
  if
  :: me == 0 ->
     acquire(true);
     use()
  :: else
  fi;
#endif
#if defined(GIFT)
  if
  :: me == 1 ->
     acquire(false);
     use()
  :: else
  fi;
#else
  acquire(false);
  use();
#endif
#if defined(SIGNALS) || defined(BOTH)
  if
  :: me == 0 ->
#ifdef BOTH
     wait_for_signal(true);
     if
     :: over -> wait_for_signal(false)
     :: else
     fi
#else
     wait_for_signal(false)
#endif
  :: else
  fi;
#endif
  busy--
}

proctype host() {
  byte me = HOST, number, first, left, i;
  mtype kind, was;
  bool taken, over, won;
#if defined(GIFT)
  release(2);
#else
#if defined(LIMITS)
  acquire(true);
  use();
#endif
  acquire(false);
  use();
#endif
  busy--
}

proctype sender() {
  byte number;
  mtype kind, was;
  bool won;
  sign[0] = true;
  wake(0, SIGNAL);
  busy--
}

inline strike() {
  d_step {
    number = waiters[w].number;
    kind = waiters[w].kind;
    won = IS_OPEN(w)
  }
  if
  :: won && waiters[w].limited -> end_wait(w, EXPIRED)
  :: else
  fi;
  d_step {
    won = false;
    kind = 0;
    number = 0;
    w = 0
  }
}

/* The clock finds the limit of any wait passed, at any time. */
proctype clock() {
  byte number, w;
  mtype kind, was;
  bool won;
end:
  do
  :: d_step {
       waiters[0].listed -> w = 0
     }
     strike()
  :: d_step {
       waiters[HOST].listed -> w = HOST
     }
     strike()
  od
}

/* Nothing moves any more. */
proctype judge() {
end:
  d_step {
    timeout ->
    assert(busy == 0);
    assert(count == COUNT + GIVEN && expected == 0);
    assert(!lock && length == 0 && !sign[0])
  }
}

init {
  atomic {
    count = COUNT;
    word[0] = RUNNING;
    word[1] = RUNNING;
    on_stack[0] = true;
    on_stack[1] = true;
    waiters[0].state = NONE;
    waiters[1].state = NONE;
    waiters[HOST].state = NONE;
    busy = 3;
    run task(0);
    run task(1);
    run host();
#if defined(SIGNALS) || defined(BOTH)
    busy++;
    run sender();
#endif
#if defined(LIMITS) || defined(GIFT) || defined(BOTH)
    run clock();
#endif
    run judge()
  }
}
