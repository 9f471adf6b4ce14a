/* Sends the lines of a file to a program and reads a line for each: engine_client FILE WINDOW PROGRAM [WORD ...].
   At most WINDOW requests are open at a time. The first line is sent and answered before the clock starts. Prints seconds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int to_child, from_child;

static void die(const char *why) {
    perror(why);
    exit(1);
}

static void start(char **words) {
    int down[2], up[2];
    if (pipe(down) != 0 || pipe(up) != 0)
        die("pipe");
    pid_t child = fork();
    if (child < 0)
        die("fork");
    if (child == 0) {
        dup2(down[0], 0);
        dup2(up[1], 1);
        close(down[1]);
        close(up[0]);
        execvp(words[0], words);
        die(words[0]);
    }
    close(down[0]);
    close(up[1]);
    to_child = down[1];
    from_child = up[0];
}

static void send_all(const char *text, size_t length) {
    while (length > 0) {
        ssize_t written = write(to_child, text, length);
        if (written <= 0)
            die("write");
        text += written;
        length -= (size_t)written;
    }
}

/* Reads what there is, at least one byte, and returns the number of line ends in it. */
static long receive(void) {
    static char buffer[1 << 18];
    ssize_t length = read(from_child, buffer, sizeof buffer);
    if (length <= 0)
        die("read");
    long lines = 0;
    for (ssize_t at = 0; at < length; at++)
        lines += buffer[at] == '\n';
    return lines;
}

int main(int argc, char **argv) {
    if (argc < 4)
        return 2;
    FILE *file = fopen(argv[1], "r");
    if (file == NULL)
        die(argv[1]);
    static char *lines[1 << 20];
    char *line = NULL;
    size_t room = 0;
    long count = 0, window = atol(argv[2]);
    while (getline(&line, &room, file) > 0 && count < 1 << 20)
        lines[count++] = strdup(line);
    start(argv + 3);
    send_all(lines[0], strlen(lines[0]));
    while (receive() == 0)
        continue;
    struct timespec began, ended;
    clock_gettime(CLOCK_MONOTONIC, &began);
    long sent = 1, received = 1;
    while (received < count) {
        while (sent < count && sent - received < window) {
            send_all(lines[sent], strlen(lines[sent]));
            sent++;
        }
        received += receive();
    }
    clock_gettime(CLOCK_MONOTONIC, &ended);
    printf("%.9f\n", (double)(ended.tv_sec - began.tv_sec) + (double)(ended.tv_nsec - began.tv_nsec) / 1e9);
    close(to_child); /* its end; waited for, so that its CPU time is told to whoever started us */
    wait(NULL);
    return 0;
}
