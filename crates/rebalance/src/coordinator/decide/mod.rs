//! What a group decides, by kind of input.

mod commit;
mod heartbeat;
mod join;
mod leave;
mod round;
mod statics;
mod sync;
