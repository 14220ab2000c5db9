//! The designs, event by event, as tables: one line for each generation with its cause, then what each member keeps
//! (=), stops (-) and starts (+). T0 is the first partition of topic T.

mod cases;
mod design;
mod event;
mod events;
mod one;
mod replay;
mod scene;
mod table;
mod three;
mod two;
mod upgrade;
