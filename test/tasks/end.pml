/* end.pml - the end of a task, and who waits for it, where stores are seen late
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The protocol of runtime/tasks/{run,pull,wait}.c on x86-64: a unit stores the end of a run-complete
 * task, pulls the next one, and only then looks at `awaited`. Its store may stay in the store buffer
 * until a locked operation: the compare and exchange of a pull that takes a task, or a barrier where
 * it has taken none. A waiter counts itself in `awaited`, looks for the end once more, and sleeps.
 *
 * Checked: when nothing moves any more, nobody sleeps whose task has ended.
 *
 * tasks.py lists the variants, in which one rule is left out.
 */
#define ENDS 2 /* tasks that the unit runs, one after the other */

bool ended[ENDS], awaited[ENDS], woken[ENDS];
bool buffered[ENDS]; /* the store of the end is in the unit's buffer */
bool asleep[ENDS];

inline drain() {
  d_step {
    if
    :: buffered[0] -> ended[0] = true; buffered[0] = false
    :: else
    fi;
    if
    :: buffered[1] -> ended[1] = true; buffered[1] = false
    :: else
    fi
  }
}

inline tell(k) {
  if
  :: awaited[k] -> woken[k] = true
  :: else
  fi
}

proctype unit() {
  byte k = 0;
  do
  :: k == ENDS -> break
  :: else ->
     buffered[k] = true;
     if
     :: k + 1 < ENDS ->
#ifndef NO_BARRIER
        drain();
#endif
        tell(k)
     :: else -> /* nothing is left: a barrier, and then it sleeps */
#ifndef NOT_TOLD
        drain();
        tell(k)
#endif
     fi;
     k++
  od
}

/* Stores leave the buffer in order, at any time. */
proctype buffer() {
end_buffer:
  do
  :: d_step {
       buffered[0] -> ended[0] = true;
       buffered[0] = false
     }
  :: d_step {
       !buffered[0] && buffered[1] -> ended[1] = true;
       buffered[1] = false
     }
  od
}

proctype waiter(byte k) {
  bool over;
#ifdef LOOK_FIRST
  over = ended[k];
  awaited[k] = true;
#else
  awaited[k] = true;
  over = ended[k];
#endif
  if
  :: over
  :: else ->
     asleep[k] = true;
end_sleep:
     woken[k];
     asleep[k] = false
  fi
}

proctype judge() {
end_judge:
  d_step {
    timeout -> assert(!asleep[0] && !asleep[1])
  }
}

init {
  atomic {
    run unit();
    run buffer();
    run waiter(0);
    run waiter(1);
    run judge()
  }
}
