/** Where it shows whether a form has arrived whose answer has not. */
export const TRANSACTIONS = { href: '/transactions', label: 'Transactions' } as const;
export const MIGRATIONS = { href: '/migrations', label: 'Migrations' } as const;
