//! A broker over real sockets, files and processes.

mod client;
mod limits;
mod lives;
mod process;
mod starts;
mod waits;
