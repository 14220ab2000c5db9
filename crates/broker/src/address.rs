use std::net::{IpAddr, SocketAddr, TcpListener, ToSocketAddrs};

use crate::StartError;

/// Splits `HOST:PORT`; an IPv6 host stands in brackets.
pub(crate) fn split(address: &str) -> Result<(String, u16), StartError> {
    let bad = || StartError::Address(address.to_owned());
    let (host, port) = address.rsplit_once(':').ok_or_else(bad)?;
    let port = port.parse().map_err(|_| bad())?;
    let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    if host.is_empty() { Err(bad()) } else { Ok((host.to_owned(), port)) }
}

/// Listens on `HOST:PORT`.
pub(crate) fn listen(address: &str) -> Result<TcpListener, StartError> {
    let (host, port) = split(address)?;
    let resolved: Vec<SocketAddr> =
        (host.as_str(), port).to_socket_addrs().map_err(|_| StartError::Address(address.to_owned()))?.collect();
    let listener = TcpListener::bind(&resolved[..]).map_err(|source| match source.kind() {
        std::io::ErrorKind::AddrInUse => StartError::PortTaken(address.to_owned()),
        _ => StartError::Listen { address: address.to_owned(), source },
    })?;
    match rustix::net::listen(&listener, BACKLOG).map_err(Into::into).and_then(|()| listener.set_nonblocking(true)) {
        Ok(()) => Ok(listener),
        Err(source) => Err(StartError::Listen { address: address.to_owned(), source }),
    }
}

/// Connections that may wait to be accepted; the system's own limit may be lower.
const BACKLOG: i32 = 4096;

/// What clients are told to connect to when nothing is said about it: where the broker listens, or the loopback
/// interface where it listens on all.
pub(crate) fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(std::net::Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(std::net::Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}
