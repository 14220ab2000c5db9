//! The node over files in memory.

mod apis;
mod desk;
mod storage;
