#include <skan/skan.h>
