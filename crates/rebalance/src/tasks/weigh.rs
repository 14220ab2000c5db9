use std::cmp::Reverse;

use groma_model::Generation;

use super::Worker;
use crate::assignor::{Assignor, Weighted};
use crate::share::SituationBuilder;

/// Who is to run each task so that costs are shared by capacity; `held` names the worker where one would best stay. A
/// worker of more capacity counts as several seats. Where everything is held and no worker has more than its seats may
/// have, all stays.
pub(super) fn homes(costs: &[u64], held: &[Option<usize>], workers: &[Worker]) -> Vec<usize> {
    let seats = seats(workers);
    if let Some(all) = held.iter().copied().collect::<Option<Vec<usize>>>()
        && fits(costs, &all, &seats)
    {
        return all;
    }
    let mut builder = SituationBuilder::new();
    let kind = builder.kind(costs.len() as u32);
    seats.iter().for_each(|_| _ = builder.member(vec![kind]));
    let mut loads = vec![0; seats.len()];
    for task in heaviest_first(costs) {
        let own = (0..seats.len()).filter(|seat| held[task] == Some(seats[*seat]));
        if let Some(seat) = own.min_by_key(|seat| loads[*seat]) {
            loads[seat] += costs[task];
            builder.claim(seat as u32, task as u32, Some(Generation(0)));
        }
    }
    let small = |cost: &u64| u32::try_from(*cost).unwrap_or(u32::MAX);
    let situation = builder.build().with_costs(costs.iter().map(small).collect());
    let owners = Weighted.assign(&situation);
    owners.iter().map(|seat| seats.get(*seat as usize).copied().unwrap_or_default()).collect()
}

/// For each seat its worker: as many as its capacity is of the greatest common divisor of all, in proportion where that
/// would be very many.
fn seats(workers: &[Worker]) -> Vec<usize> {
    let divisor = workers.iter().map(Worker::weight).fold(0, gcd).max(1);
    let most = workers.iter().map(|worker| worker.weight() / divisor).max().unwrap_or(1);
    let count = |worker: &Worker| {
        let parts = worker.weight() / divisor;
        if most > SEATS_MAX { (parts * SEATS_MAX / most).max(1) } else { parts }
    };
    workers.iter().enumerate().flat_map(|(number, worker)| (0..count(worker)).map(move |_| number)).collect()
}

const fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Whether no worker has more than [`Weighted`] would allow its seats together.
fn fits(costs: &[u64], held: &[usize], seats: &[usize]) -> bool {
    let (total, heaviest) = (costs.iter().sum::<u64>(), costs.iter().max().copied().unwrap_or_default());
    let count = seats.len().max(1) as u64;
    let even = (total * 4 / (count * 3)).max(heaviest * 4 / 3);
    let limit = even.max(longest_first(costs, seats.len()));
    let workers = seats.last().map_or(0, |last| last + 1);
    let (mut load, mut may) = (vec![0_u64; workers], vec![0_u64; workers]);
    held.iter().zip(costs).for_each(|(worker, cost)| load[*worker] += cost);
    seats.iter().for_each(|worker| may[*worker] += limit);
    load.iter().zip(may).all(|(load, may)| *load <= may)
}

/// The most that a seat has if each task, the heaviest first, goes to the seat that has least.
fn longest_first(costs: &[u64], seats: usize) -> u64 {
    let mut loads = vec![0_u64; seats];
    for task in heaviest_first(costs) {
        if let Some(least) = loads.iter_mut().min() {
            *least += costs[task];
        }
    }
    loads.into_iter().max().unwrap_or_default()
}

fn heaviest_first(costs: &[u64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..costs.len()).collect();
    order.sort_by_key(|task| (Reverse(costs[*task]), *task));
    order
}

/// More seats than these for one worker make no difference.
const SEATS_MAX: u64 = 16;
