//! Accounts: who may do what.

use serde::{Deserialize, Serialize};

/// What an account pays for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Plan {
    /// Pays nothing; images at 2K.
    Free,
    /// Pays; every resolution.
    Pro,
}

impl Plan {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Pro => "pro",
        }
    }

    /// Whether it includes what the contract keeps for paid plans.
    pub fn is_paid(self) -> bool {
        self != Self::Free
    }
}

/// One thing that a key may be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Read generations.
    GenerationsRead,
    /// Create generations.
    GenerationsWrite,
    /// Edit images.
    ImagesEdit,
    /// Read brand kits.
    BrandsRead,
    /// Write brand kits.
    BrandsWrite,
    /// Read the balance.
    CreditsRead,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Self; 6] = [
        Self::GenerationsRead,
        Self::GenerationsWrite,
        Self::ImagesEdit,
        Self::BrandsRead,
        Self::BrandsWrite,
        Self::CreditsRead,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::GenerationsRead => "generations:read",
            Self::GenerationsWrite => "generations:write",
            Self::ImagesEdit => "images:edit",
            Self::BrandsRead => "brands:read",
            Self::BrandsWrite => "brands:write",
            Self::CreditsRead => "credits:read",
        }
    }

    /// Its bit within [`Scopes`]; stored, so never renumbered.
    fn bit(self) -> u32 {
        match self {
            Self::GenerationsRead => 1,
            Self::GenerationsWrite => 1 << 1,
            Self::ImagesEdit => 1 << 2,
            Self::BrandsRead => 1 << 3,
            Self::BrandsWrite => 1 << 4,
            Self::CreditsRead => 1 << 5,
        }
    }
}

/// A set of scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scopes(u32);

impl Scopes {
    /// Every scope there is or will be.
    pub const ALL: Self = Self(u32::MAX);

    /// Just these.
    pub fn of(scopes: &[Scope]) -> Self {
        Self(scopes.iter().fold(0, |bits, s| bits | s.bit()))
    }

    /// Whether `scope` is among them.
    pub fn allow(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_allows_its_members_only() {
        let set = Scopes::of(&[Scope::GenerationsRead, Scope::CreditsRead]);
        assert!(set.allow(Scope::GenerationsRead) && set.allow(Scope::CreditsRead));
        assert!(!set.allow(Scope::GenerationsWrite) && !set.allow(Scope::BrandsRead));
        assert!(Scopes::ALL.allow(Scope::ImagesEdit) && Scopes::ALL.allow(Scope::BrandsWrite));
    }
}
