# skan::store_kit, for a program that has skan::skan or skan::static.
if(NOT TARGET skan::store_kit)
  add_library(skan::store_kit STATIC IMPORTED)
  set_target_properties(skan::store_kit PROPERTIES
    IMPORTED_LOCATION "${_skan_prefix}/@LIBDIR@/libskan_store_kit.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_skan_prefix}/include"
    INTERFACE_LINK_LIBRARIES "Threads::Threads")
endif()
