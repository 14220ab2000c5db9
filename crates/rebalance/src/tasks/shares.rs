use super::Worker;

/// How many of `total` each worker gets: by capacity, to the whole one below or above; those with most in hand are the
/// first to get the one above.
pub(super) fn shares(total: usize, workers: &[Worker], in_hand: &[usize]) -> Vec<usize> {
    let least = least(total, workers);
    shares_by(total, workers, |w| (std::cmp::Reverse(in_hand[*w].saturating_sub(least[*w])), *w))
}

/// The same; the first by this order get the one above.
pub(super) fn shares_by<K: Ord>(total: usize, workers: &[Worker], first: impl FnMut(&usize) -> K) -> Vec<usize> {
    let mut shares = least(total, workers);
    let left = total - shares.iter().sum::<usize>();
    let whole = whole(workers);
    let mut order: Vec<usize> =
        (0..workers.len()).filter(|w| !(total as u64 * workers[*w].weight()).is_multiple_of(whole)).collect();
    order.sort_by_key(first);
    order.iter().take(left).for_each(|w| shares[*w] += 1);
    shares
}

fn least(total: usize, workers: &[Worker]) -> Vec<usize> {
    let whole = whole(workers);
    workers.iter().map(|worker| (total as u64 * worker.weight() / whole) as usize).collect()
}

fn whole(workers: &[Worker]) -> u64 {
    workers.iter().map(Worker::weight).sum::<u64>().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workers(capacities: &[u32]) -> Vec<Worker> {
        capacities.iter().map(|capacity| Worker { capacity: *capacity, ..Worker::default() }).collect()
    }

    #[test]
    fn shares_go_by_capacity_and_leave_what_is_in_hand() {
        assert_eq!(shares(7, &workers(&[1, 1, 1]), &[0, 0, 3]), [2, 2, 3]);
        assert_eq!(shares(6, &workers(&[1, 1, 4]), &[0, 0, 0]), [1, 1, 4]);
        assert_eq!(shares(2, &workers(&[1, 1, 1]), &[0, 1, 1]), [0, 1, 1]);
        assert_eq!(shares(0, &workers(&[1]), &[0]), [0]);
    }
}
