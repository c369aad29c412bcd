//! What the server tells the router about a request, as extensions of the request.

use std::net::IpAddr;

/// The address of the peer. An extension of every request.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub IpAddr);

/// Why a request is rejected before a handler sees it. An extension of those requests. If the bytes could not be parsed
/// as a request, it is attached to a placeholder request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The server has too many connections, or this client has too many.
    TooManyConnections,
    /// The request has no host, several hosts, or an invalid host.
    BadHost,
    /// The bytes can't be parsed as HTTP/1.
    Malformed,
    /// Too many or too large headers.
    HeadersTooLarge,
    /// The request line is too long.
    UriTooLong,
    /// The head did not arrive in time.
    HeadTimeout,
    /// The client sent plain text to a TLS port.
    NotEncrypted,
}
