#include "fault.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#define PAGE_BYTES 4096u

struct copy {
  sigjmp_buf failed;
  uintptr_t begin, end;
};

/* The copy that a thread is at. Not allocated at its first use, which may be in a signal handler. */
static _Thread_local struct copy *volatile current __attribute__((tls_model("initial-exec")));
static struct sigaction earlier;

/* Does with a signal what would have become of it without this handler. */
static void pass_on(int number, siginfo_t *info, void *context) {
  bool is_fault = info->si_code > 0;
  bool has_handler = (earlier.sa_flags & SA_SIGINFO) != 0 || (earlier.sa_handler != SIG_DFL && earlier.sa_handler != SIG_IGN);
  if (!has_handler) {
    if (is_fault || earlier.sa_handler == SIG_DFL) {
      /* The access is made once more after the return, and ends the program where it did. */
      signal(number, SIG_DFL);
      if (!is_fault) {
        raise(number);
      }
    }
    return;
  }
  sigset_t blocked = earlier.sa_mask;
  if ((earlier.sa_flags & SA_NODEFER) == 0) {
    sigaddset(&blocked, number);
  }
  pthread_sigmask(SIG_BLOCK, &blocked, NULL);
  if ((earlier.sa_flags & SA_SIGINFO) != 0) {
    earlier.sa_sigaction(number, info, context);
  } else {
    earlier.sa_handler(number);
  }
}

static void handle(int number, siginfo_t *info, void *context) {
  struct copy *copy = current;
  uintptr_t at = (uintptr_t)info->si_addr;
  if (copy != NULL && info->si_code > 0 && at >= copy->begin && at < copy->end) {
    siglongjmp(copy->failed, 1);
  }
  pass_on(number, info, context);
}

static void install(void) {
  /* No signal is blocked in the handler, so that leaving it by a jump needs to restore none. */
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, NULL, &earlier);
  sigaction(SIGBUS, &action, NULL);
}

void fault_guard(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
}

bool fault_copy(void *to, const void *from, uint32_t length) {
  struct copy copy;
  struct copy *const outer = current;
  uintptr_t begin = (uintptr_t)from / PAGE_BYTES * PAGE_BYTES;
  copy.begin = begin;
  copy.end = (uintptr_t)from + length;
  if (sigsetjmp(copy.failed, 0) != 0) {
    current = outer;
    return false;
  }
  current = &copy;
  atomic_signal_fence(memory_order_seq_cst);
  memcpy(to, from, length);
  atomic_signal_fence(memory_order_seq_cst);
  current = outer;
  return true;
}
