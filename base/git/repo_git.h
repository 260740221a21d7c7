/*
 * repo_git: libgit2, for base/git/ and renderer/publish/ and nobody else. No other
 * file includes it.
 *
 * Whoever uses it calls repo_git_start() and git_libgit2_shutdown() around that (libgit2 counts),
 * so that no state of ours stays behind. Settings of the library are its own and global; each
 * start sets all that matter.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/library.h"

#include <errno.h>
#include <git2.h>
#include <git2/sys/alloc.h>
#include <git2/sys/mempack.h>
#include <git2/sys/odb_backend.h>
#include <stdbool.h>

/* Libgit2, opened when it is first used. It brings eleven libraries with it, which
 * take longer to load than most commands run; those that look at no repository do without.
 * repo_git.h includes it, and nobody else: every function of libgit2 that is called has its line
 * here, or the program is not linked. */

#define LIBRARY_GIT2 "libgit2.so." LIBGIT2_SOVERSION

#define GIT2(name) ((__typeof__(name) *)library_function(#name))

#define git_blob_free GIT2(git_blob_free)
#define git_blob_lookup GIT2(git_blob_lookup)
#define git_blob_rawcontent GIT2(git_blob_rawcontent)
#define git_blob_rawsize GIT2(git_blob_rawsize)
#define git_branch_name_is_valid GIT2(git_branch_name_is_valid)
#define git_buf_dispose GIT2(git_buf_dispose)
#define git_commit_create GIT2(git_commit_create)
#define git_commit_free GIT2(git_commit_free)
#define git_commit_id GIT2(git_commit_id)
#define git_commit_lookup GIT2(git_commit_lookup)
#define git_commit_message GIT2(git_commit_message)
#define git_commit_parent GIT2(git_commit_parent)
#define git_commit_parentcount GIT2(git_commit_parentcount)
#define git_commit_tree GIT2(git_commit_tree)
#define git_config_free GIT2(git_config_free)
#define git_config_get_bool GIT2(git_config_get_bool)
#define git_config_get_path GIT2(git_config_get_path)
#define git_config_get_string GIT2(git_config_get_string)
#define git_credential_ssh_key_from_agent GIT2(git_credential_ssh_key_from_agent)
#define git_credential_username_new GIT2(git_credential_username_new)
#define git_credential_userpass_plaintext_new GIT2(git_credential_userpass_plaintext_new)
#define git_error_last GIT2(git_error_last)
#define git_error_set_str GIT2(git_error_set_str)
#define git_graph_descendant_of GIT2(git_graph_descendant_of)
#define git_libgit2_init GIT2(git_libgit2_init)
#define git_libgit2_opts GIT2(git_libgit2_opts)
#define git_libgit2_shutdown GIT2(git_libgit2_shutdown)
#define git_libgit2_version GIT2(git_libgit2_version)
#define git_mempack_new GIT2(git_mempack_new)
#define git_odb_add_backend GIT2(git_odb_add_backend)
#define git_odb_backend_data_alloc GIT2(git_odb_backend_data_alloc)
#define git_odb_backend_data_free GIT2(git_odb_backend_data_free)
#define git_odb_exists GIT2(git_odb_exists)
#define git_odb_free GIT2(git_odb_free)
#define git_odb_hash GIT2(git_odb_hash)
#define git_odb_object_data GIT2(git_odb_object_data)
#define git_odb_object_free GIT2(git_odb_object_free)
#define git_odb_object_size GIT2(git_odb_object_size)
#define git_odb_read GIT2(git_odb_read)
#define git_oid_equal GIT2(git_oid_equal)
#define git_oid_fromstr GIT2(git_oid_fromstr)
#define git_oid_is_zero GIT2(git_oid_is_zero)
#define git_oid_tostr GIT2(git_oid_tostr)
#define git_packbuilder_free GIT2(git_packbuilder_free)
#define git_packbuilder_insert GIT2(git_packbuilder_insert)
#define git_packbuilder_new GIT2(git_packbuilder_new)
#define git_packbuilder_write GIT2(git_packbuilder_write)
#define git_push_options_init GIT2(git_push_options_init)
#define git_reference_create_matching GIT2(git_reference_create_matching)
#define git_reference_free GIT2(git_reference_free)
#define git_reference_is_branch GIT2(git_reference_is_branch)
#define git_reference_iterator_free GIT2(git_reference_iterator_free)
#define git_reference_iterator_glob_new GIT2(git_reference_iterator_glob_new)
#define git_reference_lookup GIT2(git_reference_lookup)
#define git_reference_name_to_id GIT2(git_reference_name_to_id)
#define git_reference_next_name GIT2(git_reference_next_name)
#define git_reference_shorthand GIT2(git_reference_shorthand)
#define git_reference_symbolic_target GIT2(git_reference_symbolic_target)
#define git_reference_target GIT2(git_reference_target)
#define git_reference_type GIT2(git_reference_type)
#define git_remote_connect GIT2(git_remote_connect)
#define git_remote_create_options_init GIT2(git_remote_create_options_init)
#define git_remote_create_with_opts GIT2(git_remote_create_with_opts)
#define git_remote_disconnect GIT2(git_remote_disconnect)
#define git_remote_free GIT2(git_remote_free)
#define git_remote_init_callbacks GIT2(git_remote_init_callbacks)
#define git_remote_ls GIT2(git_remote_ls)
#define git_remote_push GIT2(git_remote_push)
#define git_repository_commondir GIT2(git_repository_commondir)
#define git_repository_config_snapshot GIT2(git_repository_config_snapshot)
#define git_repository_free GIT2(git_repository_free)
#define git_repository_head GIT2(git_repository_head)
#define git_repository_is_bare GIT2(git_repository_is_bare)
#define git_repository_is_worktree GIT2(git_repository_is_worktree)
#define git_repository_odb GIT2(git_repository_odb)
#define git_repository_open GIT2(git_repository_open)
#define git_repository_open_ext GIT2(git_repository_open_ext)
#define git_repository_path GIT2(git_repository_path)
#define git_signature_default GIT2(git_signature_default)
#define git_signature_free GIT2(git_signature_free)
#define git_status_list_entrycount GIT2(git_status_list_entrycount)
#define git_status_list_free GIT2(git_status_list_free)
#define git_status_list_new GIT2(git_status_list_new)
#define git_status_options_init GIT2(git_status_options_init)
#define git_tree_entry_bypath GIT2(git_tree_entry_bypath)
#define git_tree_entry_filemode GIT2(git_tree_entry_filemode)
#define git_tree_entry_free GIT2(git_tree_entry_free)
#define git_tree_entry_id GIT2(git_tree_entry_id)
#define git_tree_entry_name GIT2(git_tree_entry_name)
#define git_tree_entry_type GIT2(git_tree_entry_type)
#define git_tree_free GIT2(git_tree_free)
#define git_tree_lookup GIT2(git_tree_lookup)
#define git_tree_walk GIT2(git_tree_walk)
#define git_treebuilder_free GIT2(git_treebuilder_free)
#define git_treebuilder_insert GIT2(git_treebuilder_insert)
#define git_treebuilder_new GIT2(git_treebuilder_new)
#define git_treebuilder_write GIT2(git_treebuilder_write)

enum repo_trust {
    REPO_LOOK,  /* no configuration but the repository's own, any owner: nothing is executed */
    REPO_WRITE, /* the user's configuration too, who must own the repository; fsync */
};

/* Its memory is ours from now on: running out of it ends the process (base/arena.h). It has to be
 * said before it starts, behind library_open, and is the same each time. */
void repo_git_memory(void);

/* False when libgit2 cannot be started: nothing to shut down then. */
bool repo_git_start(enum repo_trust trust);

/* A URL without name and password: "https://user:secret@host/x" -> "https://host/x"; what has no
 * scheme stays. */
const char *repo_url_shown(const char *url, struct arena *arena);

/* What a call of libgit2 gives. Where that is an error for want of memory it ends the process: zlib
 * takes its memory itself, and an object that could not be unpacked looks like one that is damaged
 * or not there. Everybody asks so who makes something else of an error than repo_git_err does. */
#define REPO_GIT(call) (errno = 0, repo_git_gave(call))
int repo_git_gave(int rc);

/* libgit2's last message. */
const char *repo_git_message(void);

/* libgit2 says "not found" of objects in a pack that it could not open, of packs that it could not
 * list, of a repository or a configuration that it could not look at, and "another's" of what has
 * no owner that it could see. Can none of that be done anywhere now? Then that is why. */
bool repo_is_at_a_loss(void);

/* err_set with ": <libgit2's message>" appended. ERR_IO, and not ERR_INPUT or ERR_USAGE, where its
 * error is one of the system, or no file can be opened; ends the process as repo_git_gave does. */
int repo_git_err(struct err *err, enum err_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
