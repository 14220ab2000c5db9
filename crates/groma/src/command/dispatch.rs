use super::{bench, broker, group, instance, load, sim, topic};
use crate::args::{Command, Groma};
use crate::exit::{Done, Outcome};
use crate::speed;
use clap::CommandFactory;
use groma_bench::Screen;

/// Carries out what was typed.
pub(crate) fn run(groma: Groma) -> Outcome {
    let screen = if groma.quiet { Screen::Quiet } else { Screen::Progress };
    match groma.command {
        Command::Demo(demo) => bench::demo(demo, screen),
        Command::Doctor(json) => bench::doctor(&json),
        Command::Bench(command) => bench::run(command, screen),
        Command::KnownAnswer(known) => bench::known_answer(known, screen),
        Command::Broker(arguments) => broker::run(arguments),
        Command::Topic(command) => topic::run(command),
        Command::Load(arguments) => load::run(arguments, screen),
        Command::Instance(arguments) => instance::run(arguments),
        Command::Group(command) => group::run(command),
        Command::Sim(command) => sim::run(&command, screen),
        Command::Speed(arguments) => speed::run(&arguments, screen),
        Command::Completions { shell } => completions(shell),
    }
}

fn completions(shell: clap_complete::Shell) -> Outcome {
    clap_complete::generate(shell, &mut Groma::command(), "groma", &mut std::io::stdout());
    Ok(Done::Fine)
}
