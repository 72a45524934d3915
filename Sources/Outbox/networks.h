/* The ad networks that postbacks come from, and the partners that are told of theirs: a file of JSON. */
#ifndef NETWORKS_H
#define NETWORKS_H

#include "entry.h"

#define NETWORKS_TROUBLE_MAX 512
#define PARTNERS_MAX 16 /* of a network */
#define TOKENS_MAX 4 /* of a network: an old one is good until its holder has the new one */
#define TOKEN_BYTES_MIN 16
#define TOKEN_BYTES_MAX 256

typedef struct partner {
    char name[ENTRY_NAME_MAX + 1];
    char *url;    /* a template, see template.h; may hold secrets */
    size_t index; /* among all partners of all networks */
} partner;

typedef struct token {
    unsigned char bytes[TOKEN_BYTES_MAX]; /* filled up with zeros, that all take equally long to compare */
    size_t length;
} token;

typedef struct network {
    char name[ENTRY_NAME_MAX + 1];
    char **ad_networks; /* the ad network ids whose postbacks are its own; ended by NULL, one at least */
    token tokens[TOKENS_MAX];
    size_t token_count;
    partner *partners;
    size_t partner_count;
} network;

typedef struct networks networks;

/* Reads a file. NULL, and why in `trouble`, without what is secret. */
networks *networks_open(const char *file, char trouble[NETWORKS_TROUBLE_MAX]);
void networks_close(networks *networks);

/* The network of this name, if the token is one of its own. A name that there is not takes as long as a wrong token. */
const network *networks_admit(const networks *networks, const char *name, const char *token);
/* The network whose ad network id this is; NULL for none. */
const network *networks_of(const networks *networks, const char *ad_network);
bool network_has(const network *network, const char *ad_network);
/* NULL where there is none of this name. */
const partner *networks_partner(const networks *networks, const char *network, const char *name);
size_t networks_partner_count(const networks *networks);

/* For help: the file's form. */
#define NETWORKS_HELP                                                                   \
    "NETWORKS is {\"networks\": [{\"name\", \"ad_networks\": [ID], \"tokens\": [TOKEN],\n"  \
    "\"partners\": [{\"name\", \"url\"}]}]}. Names are 1 to 24 of a-z 0-9 . _ -; ID is Apple's\n"  \
    "ad network id; TOKEN is env:NAME or file:PATH, with 16 to 256 printable bytes, up\n"  \
    "to 4 of them; none, and the network cannot forward.\n"

#endif
