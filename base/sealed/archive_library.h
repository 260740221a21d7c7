/*
 * archive_library: libarchive, opened when the first archive is read or written: with ICU, libxml2
 * and C++ behind it, it takes as long to load as most commands run. archive.c includes it, and
 * nobody else: every function of libarchive that is called has its line here, or the program is not
 * linked.
 */
#pragma once

#include "base/library.h"

#include <archive.h>
#include <archive_entry.h>

#define LIBARCHIVE(name) ((__typeof__(name) *)library_function(#name))

#define archive_entry_filetype LIBARCHIVE(archive_entry_filetype)
#define archive_entry_free LIBARCHIVE(archive_entry_free)
#define archive_entry_hardlink LIBARCHIVE(archive_entry_hardlink)
#define archive_entry_new LIBARCHIVE(archive_entry_new)
#define archive_entry_pathname LIBARCHIVE(archive_entry_pathname)
#define archive_entry_set_filetype LIBARCHIVE(archive_entry_set_filetype)
#define archive_entry_size LIBARCHIVE(archive_entry_size)
#define archive_entry_size_is_set LIBARCHIVE(archive_entry_size_is_set)
#define archive_entry_sparse_count LIBARCHIVE(archive_entry_sparse_count)
#define archive_entry_symlink LIBARCHIVE(archive_entry_symlink)
#define archive_errno LIBARCHIVE(archive_errno)
#define archive_error_string LIBARCHIVE(archive_error_string)
#define archive_filter_bytes LIBARCHIVE(archive_filter_bytes)
#define archive_libzstd_version LIBARCHIVE(archive_libzstd_version)
#define archive_read_append_filter LIBARCHIVE(archive_read_append_filter)
#define archive_read_data LIBARCHIVE(archive_read_data)
#define archive_read_data_block LIBARCHIVE(archive_read_data_block)
#define archive_read_free LIBARCHIVE(archive_read_free)
#define archive_read_header_position LIBARCHIVE(archive_read_header_position)
#define archive_read_new LIBARCHIVE(archive_read_new)
#define archive_read_next_header LIBARCHIVE(archive_read_next_header)
#define archive_read_open_memory LIBARCHIVE(archive_read_open_memory)
#define archive_read_set_format LIBARCHIVE(archive_read_set_format)
#define archive_version_string LIBARCHIVE(archive_version_string)
#define archive_write_add_filter_zstd LIBARCHIVE(archive_write_add_filter_zstd)
#define archive_write_close LIBARCHIVE(archive_write_close)
#define archive_write_data LIBARCHIVE(archive_write_data)
#define archive_write_free LIBARCHIVE(archive_write_free)
#define archive_write_header LIBARCHIVE(archive_write_header)
#define archive_write_new LIBARCHIVE(archive_write_new)
#define archive_write_open LIBARCHIVE(archive_write_open)
#define archive_write_set_bytes_in_last_block LIBARCHIVE(archive_write_set_bytes_in_last_block)
#define archive_write_set_filter_option LIBARCHIVE(archive_write_set_filter_option)
#define archive_write_set_format_raw LIBARCHIVE(archive_write_set_format_raw)
