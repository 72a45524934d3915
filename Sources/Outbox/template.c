#include "template.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[PLACEHOLDERS] = {
    [PLACEHOLDER_ID] = "id",
    [PLACEHOLDER_NETWORK] = "network",
    [PLACEHOLDER_AD_NETWORK] = "ad_network",
    [PLACEHOLDER_FRAMEWORK] = "framework",
    [PLACEHOLDER_VERSION] = "version",
    [PLACEHOLDER_TRANSACTION] = "transaction",
    [PLACEHOLDER_CAMPAIGN] = "campaign",
    [PLACEHOLDER_SOURCE_IDENTIFIER] = "source_identifier",
    [PLACEHOLDER_SOURCE_APP] = "source_app",
    [PLACEHOLDER_SOURCE_DOMAIN] = "source_domain",
    [PLACEHOLDER_APP] = "app",
    [PLACEHOLDER_WINDOW] = "window",
    [PLACEHOLDER_FINE] = "fine",
    [PLACEHOLDER_COARSE] = "coarse",
    [PLACEHOLDER_DID_WIN] = "did_win",
    [PLACEHOLDER_REDOWNLOAD] = "redownload",
    [PLACEHOLDER_CONVERSION_TYPE] = "conversion_type",
    [PLACEHOLDER_FIDELITY] = "fidelity",
    [PLACEHOLDER_INTERACTION] = "interaction",
    [PLACEHOLDER_COUNTRY] = "country",
    [PLACEHOLDER_RECEIVED] = "received",
    [PLACEHOLDER_DECODING] = "decoding",
    [PLACEHOLDER_MODEL] = "model",
    [PLACEHOLDER_EVENTS] = "events",
    [PLACEHOLDER_REVENUE_KIND] = "revenue_kind",
    [PLACEHOLDER_REVENUE_MIN] = "revenue_min",
    [PLACEHOLDER_REVENUE_MAX] = "revenue_max",
    [PLACEHOLDER_CURRENCY] = "currency",
};

/* The placeholder that begins at a brace, and its length with both braces; PLACEHOLDERS where there is none. */
static placeholder placeholder_at(const char *text, size_t *length) {
    const char *end = strchr(text, '}');
    *length = end ? (size_t)(end - text) + 1 : 0;
    for (int i = 0; end && i < PLACEHOLDERS; i++)
        if (strlen(names[i]) == *length - 2 && strncmp(names[i], text + 1, *length - 2) == 0) return (placeholder)i;
    return PLACEHOLDERS;
}

static bool wrong(char problem[TEMPLATE_PROBLEM_MAX], const char *words) {
    snprintf(problem, TEMPLATE_PROBLEM_MAX, "%s", words);
    return false;
}

static bool check_host(const char *host, char problem[TEMPLATE_PROBLEM_MAX]) {
    size_t length = strcspn(host, "/?#");
    if (length == 0) return wrong(problem, "expected a host");
    if (memchr(host, '@', length)) return wrong(problem, "expected no user and no password before the host");
    return true;
}

bool template_check(const char *text, char problem[TEMPLATE_PROBLEM_MAX]) {
    size_t scheme = strncmp(text, "https://", 8) == 0 ? 8 : strncmp(text, "http://", 7) == 0 ? 7 : 0;
    if (scheme == 0) return wrong(problem, "expected http:// or https://");
    if (!check_host(text + scheme, problem)) return false;
    const char *query = strchr(text, '?');
    bool has_id = false;
    for (const char *next = text; *next; next++) {
        unsigned char byte = (unsigned char)*next;
        if (byte <= 0x20 || byte >= 0x7F) return wrong(problem, "expected printable ASCII without spaces");
        if (byte == '#') return wrong(problem, "expected no fragment");
        if (byte != '{' && byte != '}') continue;
        if (!query || next < query) return wrong(problem, "expected placeholders in the query alone, behind a \"?\"");
        size_t length;
        placeholder found = byte == '{' ? placeholder_at(next, &length) : PLACEHOLDERS;
        if (found == PLACEHOLDERS) return wrong(problem, "a brace that begins or ends no placeholder that there is");
        if (found == PLACEHOLDER_ID) has_id = true;
        next += length - 1;
    }
    return has_id || wrong(problem, "expected {id} in the query: by it the partner drops repeats");
}

/* All but RFC 3986's unreserved characters. */
static void write_encoded(FILE *out, const char *value) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    for (; *value; value++) {
        if (strchr(plain, *value))
            fputc(*value, out);
        else
            fprintf(out, "%%%02X", (unsigned char)*value);
    }
}

char *template_fill(const char *text, const char *const values[PLACEHOLDERS]) {
    char *url = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&url, &size);
    if (!out) return NULL;
    for (; *text; text++) {
        size_t length = 0;
        placeholder found = *text == '{' ? placeholder_at(text, &length) : PLACEHOLDERS;
        if (found == PLACEHOLDERS) {
            fputc(*text, out);
        } else {
            if (values[found]) write_encoded(out, values[found]);
            text += length - 1;
        }
    }
    bool is_fine = !ferror(out);
    if (fclose(out) == 0 && is_fine) return url;
    free(url);
    return NULL;
}
