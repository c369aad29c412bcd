//! Accounts: who may do what.

use serde::{Deserialize, Serialize};

/// What an account pays for. Stored by place: what comes to be sold comes at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Plan {
    /// Pays nothing; images at 2K.
    Free,
    /// Pays; every resolution, as all that follow.
    Pro,
    /// Pays less than Pro, for fewer credits.
    Starter,
    /// Pays more than Pro, for more credits.
    Business,
}

impl Plan {
    /// Every plan, by what it costs.
    pub const ALL: [Self; 4] = [Self::Free, Self::Starter, Self::Pro, Self::Business];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Starter => "starter",
            Self::Pro => "pro",
            Self::Business => "business",
        }
    }

    /// The plan of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.name() == name)
    }

    /// Whether it includes what the contract keeps for paid plans.
    pub fn is_paid(self) -> bool {
        self != Self::Free
    }
}

/// The credits that each plan gives at the beginning of a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MonthlyCredits {
    /// Of the free plan.
    pub free: u64,
    /// Of starter.
    pub starter: u64,
    /// Of pro.
    pub pro: u64,
    /// Of business.
    pub business: u64,
}

impl MonthlyCredits {
    /// Those of a plan.
    pub fn of(&self, plan: Plan) -> u64 {
        match plan {
            Plan::Free => self.free,
            Plan::Starter => self.starter,
            Plan::Pro => self.pro,
            Plan::Business => self.business,
        }
    }
}

/// The bytes that an account of each plan may keep in the object store; 0 for no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StorageQuotas {
    /// Of the free plan.
    pub free: u64,
    /// Of starter.
    pub starter: u64,
    /// Of pro.
    pub pro: u64,
    /// Of business.
    pub business: u64,
}

impl StorageQuotas {
    /// The bytes of a plan; `None` where there is no limit.
    pub fn of(&self, plan: Plan) -> Option<u64> {
        let bytes = match plan {
            Plan::Free => self.free,
            Plan::Starter => self.starter,
            Plan::Pro => self.pro,
            Plan::Business => self.business,
        };
        Some(bytes).filter(|bytes| *bytes > 0)
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

    /// The scope of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }

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

    /// The names of those among them that there are.
    pub fn names(self) -> Vec<&'static str> {
        Scope::ALL.into_iter().filter(|scope| self.allow(*scope)).map(Scope::name).collect()
    }
}

/// What a member of an account may do in its console.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// Everything.
    Holder,
    /// Everything but keys, members and the plan.
    Operator,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 2] = [Self::Holder, Self::Operator];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holder => "holder",
            Self::Operator => "operator",
        }
    }

    /// The role of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
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
        assert_eq!(set.names(), ["generations:read", "credits:read"]);
        assert_eq!(Scopes::ALL.names().len(), Scope::ALL.len());
    }

    #[test]
    fn names_read_back() {
        for plan in Plan::ALL {
            assert_eq!(Plan::from_name(plan.name()), Some(plan));
        }
        for scope in Scope::ALL {
            assert_eq!(Scope::from_name(scope.name()), Some(scope));
        }
        for role in Role::ALL {
            assert_eq!(Role::from_name(role.name()), Some(role));
        }
        assert_eq!((Plan::from_name("gold"), Scope::from_name("all"), Role::from_name("")), (None, None, None));
    }
}
