/** Pages that show whether a submission arrived, for when its response does not. */
export const TRANSACTIONS = { href: '/transactions', label: 'Transactions' } as const;
export const MIGRATIONS = { href: '/migrations', label: 'Migrations' } as const;
