/* The URL that a partner is called at: text with placeholders in its query. */
#ifndef TEMPLATE_H
#define TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>

#define TEMPLATE_BYTES_MAX 4096
#define TEMPLATE_PROBLEM_MAX 160

typedef enum placeholder {
    PLACEHOLDER_ID, /* in every template: by it a partner knows what it was told before */
    PLACEHOLDER_NETWORK,
    PLACEHOLDER_AD_NETWORK,
    PLACEHOLDER_FRAMEWORK,
    PLACEHOLDER_VERSION,
    PLACEHOLDER_TRANSACTION,
    PLACEHOLDER_CAMPAIGN,
    PLACEHOLDER_SOURCE_IDENTIFIER,
    PLACEHOLDER_SOURCE_APP,
    PLACEHOLDER_SOURCE_DOMAIN,
    PLACEHOLDER_APP,
    PLACEHOLDER_WINDOW,
    PLACEHOLDER_FINE,
    PLACEHOLDER_COARSE,
    PLACEHOLDER_DID_WIN,
    PLACEHOLDER_REDOWNLOAD,
    PLACEHOLDER_CONVERSION_TYPE,
    PLACEHOLDER_FIDELITY,
    PLACEHOLDER_INTERACTION,
    PLACEHOLDER_COUNTRY,
    PLACEHOLDER_RECEIVED,
    PLACEHOLDER_DECODING,
    PLACEHOLDER_MODEL,
    PLACEHOLDER_EVENTS,
    PLACEHOLDER_REVENUE_KIND,
    PLACEHOLDER_REVENUE_MIN,
    PLACEHOLDER_REVENUE_MAX,
    PLACEHOLDER_CURRENCY,
    PLACEHOLDERS
} placeholder;

/* Whether it is a URL of http or https, without a user, with {id}, and with known placeholders in its query alone: no
 * value leads it to another host or path. Says why not, without the URL. */
bool template_check(const char *text, char problem[TEMPLATE_PROBLEM_MAX]);

/* The URL, of malloc, of a template that was checked; values are percent-encoded, NULL stands for none. NULL where
 * there is no memory. */
char *template_fill(const char *text, const char *const values[PLACEHOLDERS]);

/* For help. */
#define TEMPLATE_HELP                                                                   \
    "A partner's url may have in its query, percent-encoded, \"\" where there is none:\n"  \
    "{id}, which it must have: the same in every attempt, to drop repeats by\n"            \
    "{network} {ad_network} {framework} {version} {transaction} {campaign}\n"              \
    "{source_identifier} {source_app} {source_domain} {app} {did_win} {redownload}\n"      \
    "{fidelity} {interaction} {country} {window} {fine} {coarse}; {conversion_type}:\n"    \
    "download, redownload or re-engagement, which has models and values of its own;\n"     \
    "{received}, Unix seconds; {decoding}: decoded, hidden, undecodable, ambiguous,\n"     \
    "no_model or none; {model}, its version; {events}: names with commas between them;\n"  \
    "{revenue_min} {revenue_max} {revenue_kind} {currency}: of all revenue where the\n"    \
    "model speaks of it, else of IAP, else of ads.\n"

#endif
