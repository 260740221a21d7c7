/*
 * microhttpd_library: libmicrohttpd, opened by `serve` alone: with GnuTLS behind it, it takes
 * longer to load than most commands run. http.c includes it, and nobody else: every function of
 * libmicrohttpd that is called has its line here, or the program is not linked.
 */
#pragma once

#include "base/library.h"

#include <microhttpd.h>

#define LIBRARY_MICROHTTPD "libmicrohttpd.so.12"

#define MICROHTTPD(name) ((__typeof__(name) *)library_function(#name))

#define MHD_add_response_header MICROHTTPD(MHD_add_response_header)
#define MHD_create_response_from_buffer MICROHTTPD(MHD_create_response_from_buffer)
#define MHD_create_response_from_fd MICROHTTPD(MHD_create_response_from_fd)
#define MHD_destroy_response MICROHTTPD(MHD_destroy_response)
#define MHD_get_daemon_info MICROHTTPD(MHD_get_daemon_info)
#define MHD_get_reason_phrase_for MICROHTTPD(MHD_get_reason_phrase_for)
#define MHD_get_timeout MICROHTTPD(MHD_get_timeout)
#define MHD_http_unescape MICROHTTPD(MHD_http_unescape)
#define MHD_lookup_connection_value MICROHTTPD(MHD_lookup_connection_value)
#define MHD_queue_response MICROHTTPD(MHD_queue_response)
#define MHD_run MICROHTTPD(MHD_run)
#define MHD_start_daemon MICROHTTPD(MHD_start_daemon)
#define MHD_stop_daemon MICROHTTPD(MHD_stop_daemon)
