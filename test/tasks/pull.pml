/* pull.pml - making tasks ready, pulling them, sleeping and waking, in all orders
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The protocol of runtime/tasks (ready.c, pull.c, park.c); docs/hacker/tasks.md describes it. Two
 * schedulers make tasks ready: 0 and 1 with priority 0, 2 with priority 1. Task 1 is for unit 1
 * alone. Two units pull. A ring has PLACES places. Each access of what is shared is a step.
 *
 * Checked always: a task runs once for each schedule that was not taken back; and when nothing moves
 * any more, no task is ready that a sleeping unit may run, and each schedule has come to an end.
 *
 * (none)          tasks 0 and 1
 * TWO_PRIORITIES  tasks 0 and 2
 * THREE           all of them
 * ROUND           task 0 is scheduled once more, so that tickets go round the ring
 * TAKE_BACK       one more process takes task 0 back and schedules it again
 * ORDER           checks besides that a pull takes no task of a ring before an earlier one that was
 *                 ready when the pull began and that it may take
 * WAITS           task 0 runs until task 2 has ended
 * DEATH           unit 0 stops at any step, and is buried
 *
 * tasks.py lists the configurations, and the variants in which one rule is left out: for each of
 * them Spin has to find a counterexample.
 */
#ifndef PLACES
#define PLACES 2
#endif
#define TASKS 3
#define PRIORITIES 2
#define UNITS 2
#define NONE 255

#define PRIORITY(w) ((w) == 2)
#define MAY(u, w) ((w) != 1 || (u) == 1)

mtype = { CREATED, CLAIMED, READY, RUNNING, ENDED, LOST };

typedef word {
  mtype state;
  byte ticket;
  byte where;
}
word words[TASKS];

/* own: the ticket of the task in it; cycle: tickets of the place up to that one are given out. */
typedef entry {
  byte cycle, own, slot;
}
typedef ring {
  byte tail, head;
  entry entries[PLACES];
}
ring rings[PRIORITIES];

bool mark[PRIORITIES];
bool idle[UNITS];
bool bell[UNITS]; /* rung since its owner looked: the code counts, and compares */

/* For the checks alone. */
byte scheduled[TASKS], ran[TASKS], taken_back[TASKS], lost[TASKS];
bool published[TASKS]; /* its entry is written */
bool asleep[UNITS], dead[UNITS];
byte schedulers;
bool killed;

#define ENTRY rings[p].entries[t % PLACES]
#define IS_READY(w, n) (words[w].state == READY && words[w].ticket == (n))

/* ---- Waking -------------------------------------------------------------------------------- */

/* Takes an idle bit and rings the bell: two steps, as in the code. */
inline wake_unit(u) {
  d_step {
    claimed = idle[u];
    idle[u] = false
  }
  if
  :: claimed -> bell[u] = true
  :: else
  fi
}

inline wake_for(w) {
  d_step {
    target = NONE;
    if
    :: MAY(0, w) && idle[0] -> target = 0; idle[0] = false
    :: else ->
       if
       :: idle[1] -> target = 1; idle[1] = false
       :: else
       fi
    fi
  }
  if
  :: target != NONE -> bell[target] = true; target = 0
  :: else -> target = 0
  fi
}

inline wake_all() {
  wake_unit(0);
  wake_unit(1)
}

inline set_mark() {
  if
  :: mark[p]
  :: else -> mark[p] = true
  fi
}

/* ---- Making ready ---------------------------------------------------------------------------- */

inline read_entry() {
  d_step {
    seen.cycle = ENTRY.cycle;
    seen.own = ENTRY.own;
    seen.slot = ENTRY.slot
  }
}

/* The compare and exchange of an entry; new_slot NONE: it only notes that the ticket was skipped. */
inline exchange_entry(new_slot) {
  d_step {
    if
    :: ENTRY.cycle == seen.cycle && ENTRY.own == seen.own && ENTRY.slot == seen.slot ->
       ENTRY.cycle = t / PLACES;
       done = true;
       if
       :: new_slot != NONE -> ENTRY.own = t; ENTRY.slot = new_slot; published[new_slot] = true
       :: else
       fi
    :: else -> done = false
    fi
  }
}

/* Gives the word the ticket; `right` tells whether it still is this one's to write. */
inline write_word(w) {
  d_step {
    right = true;
    if
#ifndef WRITE_ANY
    :: written != NONE && !IS_READY(w, written) -> right = false
#endif
    :: else -> words[w].state = READY; words[w].ticket = t; written = t
    fi
  }
}

/* One step on the way to an entry of its own: looks at the place of ticket t. */
inline look_at_place() {
  atomic {
    read_entry();
    if
    :: seen.cycle >= t / PLACES -> t++; blank = false
    :: else -> blank = true
    fi
  }
  if
  :: blank ->
     atomic {
       live = seen.cycle != 0 && IS_READY(seen.slot, seen.own);
#ifdef OVERWRITE_LIVE
       live = false
#endif
     }
  :: else
  fi
}

inline make_ready(w) {
  atomic {
    p = PRIORITY(w);
    written = NONE;
    done = false;
    right = true
  }
#ifdef WAKE_FIRST
  wake_for(w);
#endif
#ifdef MARK_FIRST
  set_mark();
#endif
  t = rings[p].tail + PLACES;
  do
  :: done || !right -> break
  :: else ->
     look_at_place();
     if
     :: !blank
     :: blank && live ->
#ifdef NO_NOTE
        t++
#else
        atomic {
          exchange_entry(NONE);
          done = false
        }
#endif
     :: blank && !live ->
#ifdef ENTRY_FIRST
        exchange_entry(w);
        if
        :: done -> write_word(w)
        :: else
        fi
#else
        write_word(w);
        if
        :: right -> exchange_entry(w)
        :: else
        fi
#endif
     fi
  od;
  if
  :: right ->
     atomic {
       rings[p].tail = t + 1 - PLACES;
       t = 0;
       seen.cycle = 0;
       seen.own = 0;
       seen.slot = 0
     }
#ifndef MARK_FIRST
     set_mark();
#endif
#ifndef WAKE_FIRST
     wake_for(w)
#endif
  :: else
  fi
}

/* Schedules a task if it is not scheduled. */
inline schedule(w) {
  d_step {
    claimed = words[w].state == CREATED || words[w].state == ENDED;
    if
    :: claimed -> words[w].state = CLAIMED; published[w] = false; scheduled[w]++
    :: else
    fi
  }
  if
  :: claimed -> make_ready(w)
  :: else
  fi
}

proctype scheduler(bool first) {
  entry seen;
  byte p, t, written, target;
  bool done, right, live, blank, claimed;
  if
  :: first ->
     schedule(0)
  :: else ->
#ifdef TWO_PRIORITIES
     schedule(2)
#else
     schedule(1)
#endif
#ifdef ROUND
     ;
     schedule(0)
#endif
#ifdef THREE
     ;
     schedule(2)
#endif
  fi;
  schedulers--
}

#ifdef TAKE_BACK
proctype taker() {
  entry seen;
  byte p, t, written, target;
  bool done, right, live, blank, claimed;
  d_step {
    claimed = words[0].state == READY;
    if
    :: claimed -> words[0].state = CLAIMED
    :: else
    fi
  }
  if
  :: claimed ->
     d_step {
       words[0].state = ENDED;
       taken_back[0]++
     }
     schedule(0)
  :: else
  fi;
  schedulers--
}
#endif

/* ---- Pulling ------------------------------------------------------------------------------------ */

/* Goes on to the next ticket. */
inline next_ticket() {
  t++;
  if
  :: complete -> first = t
  :: else
  fi
}

inline try_word(u) {
  if
  :: IS_READY(seen.slot, t) && MAY(u, seen.slot) -> w = seen.slot; take_word(u)
  :: IS_READY(seen.slot, t) && !MAY(u, seen.slot) -> complete = false
  :: else
  fi;
  next_ticket()
}

/* Takes the first task of ring p: `got`. `over`: there was none, for nobody. */
inline take_first(u) {
  atomic {
    t = rings[p].head + PLACES;
    first = t;
    complete = true;
    over = false
  }
  do
  :: got != NONE || over -> break
  :: else ->
     atomic {
       read_entry();
       hit = false;
       if
       :: seen.cycle < t / PLACES -> over = true
       :: seen.cycle >= t / PLACES && seen.own != t -> next_ticket()
       :: seen.cycle >= t / PLACES && seen.own == t -> hit = true
       fi
     }
     if
     :: hit ->
#ifdef PULL_WITHOUT_CAS
        if
        :: IS_READY(seen.slot, t) && MAY(u, seen.slot) -> w = seen.slot; take_word(u)
        :: else
        fi;
        next_ticket()
#else
        atomic {
          try_word(u)
        }
#endif
     :: else
     fi
  od;
  atomic {
    if
    :: first != rings[p].head + PLACES -> rings[p].head = first - PLACES
    :: else
    fi;
    over = over && complete;
    t = 0;
    first = 0;
    w = 0;
    seen.cycle = 0;
    seen.own = 0;
    seen.slot = 0
  }
}

/* Takes the task, and checks that none that was ready before and that this unit may run is left. */
inline take_word(u) {
  words[w].state = RUNNING;
  words[w].where = u;
  got = w;
  ran[w]++;
  assert(ran[w] + taken_back[w] + lost[w] <= scheduled[w])
#ifdef ORDER
  ; assert(!(was_ready[0] && w != 0 && PRIORITY(w) == 0 && words[0].state == READY &&
           words[0].ticket < t && words[0].ticket == ticket_then[0]));
  assert(!(was_ready[1] && w != 1 && PRIORITY(w) == 0 && MAY(u, 1) && words[1].state == READY &&
           words[1].ticket < t && words[1].ticket == ticket_then[1]))
#endif
}

inline pull(u) {
  atomic {
    got = NONE;
#ifdef ORDER
    was_ready[0] = words[0].state == READY && published[0];
    was_ready[1] = words[1].state == READY && published[1];
    ticket_then[0] = words[0].ticket;
    ticket_then[1] = words[1].ticket;
#endif
    p = PRIORITIES
  }
  do
  :: p == 0 || got != NONE -> break
  :: else ->
     atomic {
       p--;
       hit = mark[p]
     }
     if
     :: !hit
     :: else ->
        take_first(u);
        if
        :: over && got == NONE ->
           mark[p] = false;
#ifndef NO_SECOND_LOOK
           take_first(u);
           if
           :: !over || got != NONE ->
              set_mark();
#ifndef NO_WAKE_AFTER_MARK
              wake_all()
#endif
           :: else
           fi
#endif
        :: else
        fi
     fi
  od;
  atomic {
    p = 0;
#ifdef ORDER
    was_ready[0] = false;
    was_ready[1] = false;
    ticket_then[0] = 0;
    ticket_then[1] = 0;
#endif
    hit = false;
    over = false;
    complete = false
  }
}

inline carry_out(u) {
#ifdef WAITS
  if
  :: got == 0 -> words[2].state == ENDED
  :: else
  fi;
#endif
  d_step {
    words[got].state = ENDED;
    words[got].where = NONE
  }
}

inline park(u) {
  bell[u] = false;
  idle[u] = true;
#ifdef SLEEP_AT_ONCE
  got = NONE;
#else
  pull(u);
#endif
  if
  :: got == NONE ->
     asleep[u] = true;
end_sleep:
     d_step {
       bell[u] -> asleep[u] = false
     }
  :: else
  fi;
  d_step {
    claimed = idle[u];
    idle[u] = false
  }
#ifndef NO_PASSING_ON
  if
  :: got != NONE && !claimed -> wake_all()
  :: else
  fi
#endif
}

inline work(u) {
  got = NONE;
  do
  :: got == NONE -> park(u)
  :: else -> carry_out(u); pull(u)
  od
}

proctype unit(byte me) {
  entry seen;
  byte p, t, first, w, got;
  bool complete, over, hit, claimed;
#ifdef ORDER
  bool was_ready[2];
  byte ticket_then[2];
#endif
#ifdef DEATH
  {
    work(me)
  } unless {
    me == 0 && killed -> dead[0] = true
  }
#else
  work(me)
#endif
}

#ifdef DEATH
/* Whoever buries unit 0: its task is lost, what it may have left half done is done again. */
proctype burier() {
  byte i;
  bool claimed;
  killed = true;
  dead[0];
  do
  :: i == TASKS -> break
  :: else ->
     d_step {
       if
       :: words[i].state == RUNNING && words[i].where == 0 ->
          words[i].state = LOST; lost[i]++; ran[i]--
       :: else
       fi
     }
     i++
  od;
#ifndef NO_BURIAL_MARKS
  mark[0] = true;
  mark[1] = true;
#endif
#ifndef NO_BURIAL_WAKE
#ifdef BURIAL_WAKES_IDLE
  wake_all();
#else
  idle[0] = false;
  bell[1] = true; /* it may have taken the idle bit and not rung the bell */
#endif
#endif
  schedulers--
}
#endif

/* Nothing moves any more. */
proctype judge() {
  byte i;
end_judge:
  d_step {
    timeout ->
    assert(schedulers == 0);
    do
    :: i == TASKS -> break
    :: else ->
       assert(!(words[i].state == READY && ((MAY(0, i) && asleep[0] && !dead[0]) || asleep[1])));
       assert(words[i].state != READY && words[i].state != CLAIMED);
       assert(words[i].state == RUNNING ||
              ran[i] + taken_back[i] + lost[i] == scheduled[i]);
       i++
    od
  }
}

init {
  d_step {
    words[0].state = CREATED;
    words[1].state = CREATED;
    words[2].state = CREATED;
    schedulers = 2
  }
  atomic {
    run unit(0);
    run unit(1);
    run scheduler(true);
    run scheduler(false);
#ifdef TAKE_BACK
    schedulers++;
    run taker();
#endif
#ifdef DEATH
    schedulers++;
    run burier();
#endif
    run judge()
  }
}
