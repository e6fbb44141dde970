/* Stands between a process and its disk; loaded by LD_PRELOAD. All that it does concerns the paths under DISK_UNDER.

   DISK_LOG         appends all that changes files, and what makes it last, to this file: see `Entry` in faults.py
   DISK_FAIL        from write number DISK_FAIL_AFTER on, each write fails with this errno
   DISK_NO_LOCKS    flock and the locks of fcntl fail with ENOLCK
   DISK_CLOCK_BACK  the clock on the wall goes back by a day so many seconds after the start */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long writes;

static int under(const char *path) {
    const char *folder = getenv("DISK_UNDER");
    return folder && !strncmp(path, folder, strlen(folder));
}

/* Path of an open file into `path`; 0 where it is none of ours. */
static int place(int file, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return under(path);
}

static void note(char kind, const char *path, uint64_t offset, const void *data, uint64_t bytes) {
    static int log = -1;
    const char *name = getenv("DISK_LOG");
    if (!name) return;
    pthread_mutex_lock(&mutex);
    if (log < 0) log = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    uint64_t head[4] = {(uint64_t)kind, strlen(path), offset, bytes};
    struct iovec parts[3] = {{head, sizeof head}, {(void *)path, head[1]}, {(void *)data, data ? bytes : 0}};
    if (syscall(SYS_writev, log, parts, 3) < 0) abort();
    pthread_mutex_unlock(&mutex);
}

/* Whether a write is to fail now. */
static int fails(int file, char *path) {
    if (!place(file, path)) return 0;
    const char *code = getenv("DISK_FAIL"), *after = getenv("DISK_FAIL_AFTER");
    if (!code || !after || __sync_add_and_fetch(&writes, 1) <= atol(after)) return 0;
    errno = atoi(code);
    return 1;
}

ssize_t pwrite64(int file, const void *data, size_t bytes, off64_t offset) {
    char path[PATH_MAX] = "";
    if (fails(file, path)) return -1;
    ssize_t written = syscall(SYS_pwrite64, file, data, bytes, offset);
    if (written > 0 && under(path)) note('W', path, (uint64_t)offset, data, (uint64_t)written);
    return written;
}
ssize_t pwrite(int file, const void *data, size_t bytes, off_t offset) { return pwrite64(file, data, bytes, offset); }

ssize_t write(int file, const void *data, size_t bytes) {
    char path[PATH_MAX] = "";
    if (fails(file, path)) return -1;
    off_t offset = *path ? lseek(file, 0, fcntl(file, F_GETFL) & O_APPEND ? SEEK_END : SEEK_CUR) : 0;
    ssize_t written = syscall(SYS_write, file, data, bytes);
    if (written > 0 && under(path)) note('W', path, (uint64_t)offset, data, (uint64_t)written);
    return written;
}

int ftruncate64(int file, off64_t size) {
    char path[PATH_MAX] = "";
    int done = (int)syscall(SYS_ftruncate, file, size);
    if (!done && place(file, path)) note('T', path, (uint64_t)size, NULL, 0);
    return done;
}
int ftruncate(int file, off_t size) { return ftruncate64(file, size); }

static int sync_of(int file, long call) {
    char path[PATH_MAX] = "";
    int done = (int)syscall(call, file);
    if (!done && place(file, path)) note('S', path, 0, NULL, 0);
    return done;
}
int fsync(int file) { return sync_of(file, SYS_fsync); }
int fdatasync(int file) { return sync_of(file, SYS_fdatasync); }

int rename(const char *from, const char *to) {
    int done = NEXT(rename)(from, to);
    if (!done && under(from)) note('R', from, 0, to, strlen(to));
    return done;
}

int unlink(const char *path) {
    int done = NEXT(unlink)(path);
    if (!done && under(path)) note('U', path, 0, NULL, 0);
    return done;
}

static int locks_fail(int file) {
    char path[PATH_MAX] = "";
    if (!getenv("DISK_NO_LOCKS") || !place(file, path)) return 0;
    errno = ENOLCK;
    return 1;
}

int flock(int file, int operation) { return locks_fail(file) ? -1 : (int)syscall(SYS_flock, file, operation); }

static int control(int file, int command, void *argument) {
    if ((command == F_SETLK || command == F_SETLKW || command == F_GETLK) && locks_fail(file)) return -1;
    return (int)syscall(SYS_fcntl, file, command, argument);
}
int fcntl64(int file, int command, ...) {
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    return control(file, command, argument);
}
int fcntl(int file, int command, ...) {
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    return control(file, command, argument);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static time_t start;
    int done = (int)syscall(SYS_clock_gettime, clock, time);
    const char *after = getenv("DISK_CLOCK_BACK");
    if (!done && after && clock == CLOCK_REALTIME) {
        if (!start) start = time->tv_sec;
        if (time->tv_sec - start >= atol(after)) time->tv_sec -= 86400;
    }
    return done;
}
