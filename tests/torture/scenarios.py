"""What is tortured: commands that write, and what their readers must find whatever happens (scenario.py)."""
from scenarios_archive import Archive, FirstArchive, Fsck, Redact, Withdraw
from scenarios_build import Build, BuildAgain, BuildArchived, BuildByFile, BuildUncached, FirstBuild
from scenarios_publish import BuildPublished, FirstPublish, FsckSigned, FsckSite, Publish, PublishLoose, PublishSigned
from scenarios_records import Challenge, Collect, Import, New, Reproduce

ALL = [Build, BuildAgain, BuildUncached, BuildArchived, BuildPublished, FirstBuild, BuildByFile, Publish, PublishLoose, FirstPublish, PublishSigned, Collect, Reproduce,
       New, Import, Archive, FirstArchive, Withdraw, Redact, Challenge, Fsck, FsckSite, FsckSigned]
