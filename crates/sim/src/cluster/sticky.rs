/// How many resources have to leave members that have so many each, for loads within one of each other among all that
/// there are: what is above the shares, the larger of which go to those who have most.
pub(crate) fn moves_needed(mut loads: Vec<usize>, total: usize) -> usize {
    loads.sort_unstable_by(|a, b| b.cmp(a));
    let members = loads.len().max(1);
    let (share, richer) = (total / members, total % members);
    let quota = |place: usize| share + usize::from(place < richer);
    loads.iter().enumerate().map(|(place, load)| load.saturating_sub(quota(place))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_above_the_share_moves() {
        let needed = |loads: &[usize], total| moves_needed(loads.to_vec(), total);
        assert_eq!(needed(&[3, 3, 0], 6), 2);
        assert_eq!(needed(&[4, 3, 0], 7), 2);
        assert_eq!(needed(&[2, 2], 6), 0);
        assert_eq!(needed(&[5, 0, 0], 5), 3);
    }
}
