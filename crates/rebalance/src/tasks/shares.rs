use super::Worker;

/// How many of `total` each worker gets: by capacity, to the whole one below or above; those with most in hand are the
/// first to get the one above.
pub(super) fn shares(total: usize, workers: &[Worker], in_hand: &[usize]) -> Vec<usize> {
    let whole: u64 = workers.iter().map(Worker::weight).sum();
    let least = |worker: &Worker| (total as u64 * worker.weight() / whole.max(1)) as usize;
    let mut shares: Vec<usize> = workers.iter().map(least).collect();
    let left = total - shares.iter().sum::<usize>();
    let mut order: Vec<usize> =
        (0..workers.len()).filter(|w| !(total as u64 * workers[*w].weight()).is_multiple_of(whole)).collect();
    order.sort_by_key(|w| (std::cmp::Reverse(in_hand[*w].saturating_sub(shares[*w])), *w));
    order.iter().take(left).for_each(|w| shares[*w] += 1);
    shares
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
