/*
 * Processes that work on one file are killed, while each thread also saves many records at once, by the store's hook;
 * afterwards the skan command reads the file, if one is named:
 *   kills [kills] [command]
 */
#define _GNU_SOURCE
#include "Trouble/Stores/database.h"
#include "Trouble/Stores/kills.h"
#include "Stores/Library/SQLite/files.h"
#include "Stores/Library/hooks.h"
#include "support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BOOKS = 40 }; /* on the shelf of each thread */

typedef struct shelf {
    char keys[BOOKS][32], text[32];
    skan_load_item loads[BOOKS];
    skan_save_item saves[BOOKS];
} shelf;

static skan_store books;

static shelf *new_shelf(int index) {
    shelf *made = calloc(1, sizeof *made);
    if (!made) abort();
    for (int i = 0; i < BOOKS; i++) {
        snprintf(made->keys[i], sizeof made->keys[i], "book-%d-%d", i, index);
        made->loads[i] = (skan_load_item){made->keys[i], skan_buffer_create(), 0, SKAN_OK};
    }
    books.load_many(books.context, made->loads, BOOKS);
    return made;
}

static void end_shelf(shelf *shelf) {
    for (int i = 0; i < BOOKS; i++) skan_buffer_destroy(shelf->loads[i].out);
    free(shelf);
}

/* Saves this number to every book; the answer that all of them got, SKAN_ERROR_STORE_UNKNOWN where they differ. */
static skan_status fill(int index, uint64_t number) {
    shelf *shelf = new_shelf(index);
    snprintf(shelf->text, sizeof shelf->text, "%" PRIu64, number);
    for (int i = 0; i < BOOKS; i++) {
        uint64_t version = shelf->loads[i].status == SKAN_OK ? shelf->loads[i].version : 0;
        shelf->saves[i] = (skan_save_item){shelf->keys[i], shelf->text, strlen(shelf->text), version, 0, SKAN_OK};
    }
    books.save_many(books.context, shelf->saves, BOOKS);
    skan_status status = shelf->saves[0].status;
    for (int i = 1; i < BOOKS; i++)
        if (shelf->saves[i].status != status) status = SKAN_ERROR_STORE_UNKNOWN;
    end_shelf(shelf);
    return status;
}

/* The number of a book; 0 where it has no record. */
static uint64_t number_of(const skan_load_item *book) {
    char text[32] = "";
    if (book->status != SKAN_OK || skan_buffer_size(book->out) >= sizeof text) return 0;
    memcpy(text, skan_buffer_data(book->out), skan_buffer_size(book->out));
    return strtoull(text, NULL, 10);
}

static void open_books(void) {
    books = database_open("books");
}

static void close_books(void) {
    skan_sqlite_store_close(&books);
}

/* All books of a shelf have one number. */
static uint64_t number_at(int index) {
    shelf *shelf = new_shelf(index);
    uint64_t number = number_of(&shelf->loads[0]);
    for (int i = 1; i < BOOKS; i++) {
        uint64_t other = number_of(&shelf->loads[i]);
        EXPECT(other == number, "book %d of shelf %d has number %" PRIu64 ", the first has %" PRIu64, i, index, other,
               number);
    }
    end_shelf(shelf);
    return number;
}

/* The command reads every record of installs; books are none. */
static void check_by_command(const char *command) {
    char text[512], *path = file_named("installs.db");
    run_sql(path, "DELETE FROM skan_records WHERE CAST(key AS TEXT) LIKE 'book-%'");
    snprintf(text, sizeof text, "'%s' check 'sqlite:%s'", command, path);
    fflush(NULL);
    EXPECT_NUMBER(0, system(text));
    free(path);
}

static const char *command; /* the skan command; NULL = none */

static void run_kills(const void *subject) {
    static const batches shelves = {open_books, close_books, fill, number_at};
    database_start(true);
    kill_processes(*(const int *)subject, &shelves);
    if (command) check_by_command(command);
}

int main(int count, char **texts) {
    int kills = count > 1 ? atoi(texts[1]) : 20;
    command = count > 2 ? texts[2] : NULL;
    run_case("kills", run_kills, &kills);
    return finish_cases();
}
