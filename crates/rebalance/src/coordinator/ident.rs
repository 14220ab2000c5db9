use groma_model::MemberId;

/// A new member's identity: a name people recognise and a random UUID (version 4) made of `entropy`.
pub(super) fn fresh_member(name: &str, entropy: u128) -> MemberId {
    let bits = (entropy & !(0xf << 76) & !(0x3 << 62)) | (0x4 << 76) | (0x2 << 62);
    let hex = format!("{bits:032x}");
    let (a, b, c, d, e) = (&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]);
    MemberId(format!("{name}-{a}-{b}-{c}-{d}-{e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_ends_in_a_version_4_uuid() {
        assert_eq!(fresh_member("c", 0).0, "c-00000000-0000-4000-8000-000000000000");
        assert_eq!(fresh_member("c", u128::MAX).0, "c-ffffffff-ffff-4fff-bfff-ffffffffffff");
    }
}
