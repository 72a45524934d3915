/* URLs as they may be shown. */
#ifndef MASKS_H
#define MASKS_H

/* A copy without passwords, freed by the caller: without what stands between `user:` and '@', and without the values of
 * items whose name has "pass" in it. In doubt it shows the scheme alone. Never NULL. */
char *url_masked(const char *url);

#endif
