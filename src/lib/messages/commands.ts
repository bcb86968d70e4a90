/**
 * Commands of the palette: actions first, then pages. Each is also found by its synonyms. Which ones are
 * available, and for which chains, is decided where they are expanded.
 */
import { PAGE_NAMES } from './navigation.ts';
import { CONNECT_DAEMONS } from './pages/connectDaemons.ts';
import { NOTIFICATIONS } from './pages/notifications.ts';

/** Who can use it; the routes check on their own. */
type CommandNeed = 'visitor' | 'member' | 'build' | 'broadcast' | 'sign' | 'admin';

export interface CommandText {
	title: string;
	/** Synonyms that people type for it. */
	aliases: readonly string[];
	/** When absent, everyone who may read. */
	needs?: CommandNeed;
	/** Target; `{chain}` is replaced by the name of a chain, yielding one command per chain. */
	href: string;
	/** Whether the name of a chain alone means this command. */
	main?: boolean;
}

const words = (text: string): string[] => text.split(' ');

/** Commands that change the theme; each posts a form. */
export const THEME_COMMANDS = [
	{ title: 'Use light theme', aliases: words('color mode appearance day'), theme: 'light' },
	{ title: 'Use dark theme', aliases: words('color mode appearance night'), theme: 'dark' },
	{ title: 'Use system theme', aliases: words('color mode appearance auto'), theme: 'system' }
] as const;

export const LOG_OUT_COMMAND = {
	title: 'Log out',
	aliases: words('logout sign out signout exit quit leave')
} as const;

export const ACTION_COMMANDS: readonly CommandText[] = [
	{
		title: 'Send coins',
		aliases: words('pay payment withdraw transfer recipient'),
		needs: 'build',
		href: '/chains/{chain}/wallet?tab=send'
	},
	{
		title: 'Receive coins',
		aliases: words('deposit address qr pubkey public key own'),
		needs: 'build',
		href: '/chains/{chain}/wallet'
	},
	{
		title: 'Migrate coins',
		aliases: words('bridge move cross-chain transfer burn import swap new migration'),
		needs: 'build',
		href: '/migrations/new'
	},
	{
		title: 'Migrate coins',
		aliases: words('bridge move cross-chain transfer burn swap new migration from'),
		needs: 'build',
		href: '/migrations/new?source={chain}'
	},
	{
		title: 'Migrate token',
		aliases: words('bridge move cross-chain transfer burn nft migration'),
		needs: 'build',
		href: '/migrations/new/token'
	},
	{
		title: 'Migrate selected UTXOs',
		aliases: words('coin control outputs inputs custom burn bridge migration'),
		needs: 'build',
		href: '/migrations/new/custom'
	},
	{
		title: 'Recover migration',
		aliases: words('resume continue burn recovery file stuck lost import txid'),
		needs: 'broadcast',
		href: '/migrations/recover'
	},
	{
		title: 'Create token',
		aliases: words('mint issue new nft tokencreate'),
		needs: 'build',
		href: '/chains/{chain}/tokens/new'
	},
	{
		title: 'Transfer token',
		aliases: words('send pay move nft tokentransfer batch'),
		needs: 'build',
		href: '/chains/{chain}/tokens'
	},
	{
		title: 'Consolidate UTXOs',
		aliases: words('merge outputs dust sweep join wallet'),
		needs: 'build',
		href: '/chains/{chain}/consolidate'
	},
	{
		title: 'Split UTXOs',
		aliases: words('divide outputs parts locked wallet'),
		needs: 'build',
		href: '/chains/{chain}/wallet?tab=split'
	},
	{
		title: 'Create coins by a self-import',
		aliases: words('selfimport mint import'),
		needs: 'build',
		href: '/chains/{chain}/self-import'
	},
	{
		title: 'Sign message',
		aliases: words('signature prove ownership wallet'),
		needs: 'sign',
		href: '/kdf/sign'
	},
	{
		title: 'Activate coin',
		aliases: words('enable electrum erc20 eth trezor hardware wallet kdf trading node'),
		needs: 'sign',
		href: '/kdf'
	},
	{
		title: 'Invite member',
		aliases: words('add user person account team colleague invitation'),
		needs: 'admin',
		href: '/admin/members#invite'
	},
	{
		title: 'Freeze sending',
		aliases: words('stop halt pause emergency lock read-only safety switch panic'),
		needs: 'admin',
		href: '/admin/safety'
	},
	{
		title: 'Set spending limit',
		aliases: words('limits cap budget daily maximum fee policy'),
		needs: 'admin',
		href: '/admin/policies/limits'
	},
	{
		title: 'Require second factor',
		aliases: words('2fa mfa totp passkey login security policy settings'),
		needs: 'admin',
		href: '/admin/security'
	},
	{
		title: 'Add webhook',
		aliases: words('notification notice http callback siem syslog export integration'),
		needs: 'admin',
		href: '/admin/notifications#new'
	},
	{
		title: 'Change notification settings',
		aliases: words('notice email mail push browser alert subscribe'),
		needs: 'member',
		href: '/account/notifications'
	},
	{
		title: 'Create API token',
		aliases: words('personal access key script rpc bearer'),
		needs: 'member',
		href: '/account'
	},
	{
		title: 'Change password',
		aliases: words('account security sessions'),
		needs: 'member',
		href: '/account'
	},
	{ title: 'Log in', aliases: words('login sign in signin'), needs: 'visitor', href: '/login' }
];

export const PAGE_COMMANDS: readonly CommandText[] = [
	{ title: PAGE_NAMES.overview, aliases: words('home start dashboard'), href: '/' },
	{
		title: NOTIFICATIONS.title,
		aliases: words('notices bell alerts inbox unread'),
		needs: 'member',
		href: '/notifications'
	},
	{
		title: PAGE_NAMES.migrations,
		aliases: words('bridge cross-chain progress'),
		needs: 'member',
		href: '/migrations'
	},
	{
		title: 'Transfers of all chains',
		aliases: words('burns imports cross-chain'),
		href: '/transfers'
	},
	{ title: PAGE_NAMES.routes, aliases: words('map ccid bridges chains'), href: '/routes' },
	{
		title: PAGE_NAMES.reconciliation,
		aliases: words('ledger burned imported supply conservation audit'),
		href: '/reconciliation'
	},
	{
		title: PAGE_NAMES.notaryApprovals,
		aliases: words('backup published burns notaries'),
		href: '/notary-approvals'
	},
	{
		title: 'Wallet balance',
		aliases: words('receive address qr send utxo utxos coins funds deposit history pubkey'),
		needs: 'build',
		href: '/chains/{chain}/wallet'
	},
	{
		title: PAGE_NAMES.wallets,
		aliases: words('balance balances funds addresses'),
		needs: 'build',
		href: '/wallets'
	},
	{
		title: PAGE_NAMES.transactions,
		aliases: words('sent history outgoing review pending'),
		needs: 'build',
		href: '/transactions'
	},
	{
		title: PAGE_NAMES.addressBook,
		aliases: words('labels contacts names recipients'),
		needs: 'member',
		href: '/address-book'
	},
	{
		title: 'Coins of the trading node',
		aliases: words('kdf mm2 electrum balance'),
		needs: 'member',
		href: '/kdf'
	},
	{ title: PAGE_NAMES.verifying, aliases: words('signature check proof'), href: '/kdf/verify' },
	{
		title: PAGE_NAMES.console,
		aliases: words('call method terminal command api'),
		needs: 'member',
		href: '/console'
	},
	{
		title: PAGE_NAMES.decoder,
		aliases: words('decode hex raw transaction script parse'),
		href: '/decode'
	},
	{
		title: PAGE_NAMES.help,
		aliases: words('documentation docs manual guide how to support quick start faq'),
		href: '/help'
	},
	{
		title: PAGE_NAMES.glossary,
		aliases: words('terms words definitions meaning ccid mom momom notarization'),
		href: '/help/glossary'
	},
	{
		title: PAGE_NAMES.errorCodes,
		aliases: words('troubleshooting problem failure message code help'),
		href: '/help/errors'
	},
	{
		title: PAGE_NAMES.daemons,
		aliases: words('nodes health online offline status connect'),
		needs: 'member',
		href: '/daemons'
	},
	{
		title: CONNECT_DAEMONS.title,
		aliases: words('add setup configure node komodod discover check conf rpcport indexes'),
		needs: 'admin',
		href: '/admin/connect-daemons'
	},
	{
		title: PAGE_NAMES.members,
		aliases: words('people users team roles accounts'),
		needs: 'admin',
		href: '/admin/members'
	},
	{
		title: PAGE_NAMES.audit,
		aliases: words('history events export log who'),
		needs: 'admin',
		href: '/admin/audit'
	},
	{
		title: 'Account',
		aliases: words('profile settings password sessions me'),
		needs: 'member',
		href: '/account'
	},
	{ title: 'Chain overview', aliases: words('summary home'), href: '/chains/{chain}', main: true },
	{ title: 'Blocks', aliases: words('height tip mined'), href: '/chains/{chain}/blocks' },
	{
		title: 'Chain transactions',
		aliases: words('explorer confirmed payments latest'),
		href: '/chains/{chain}/transactions'
	},
	{
		title: 'Mempool',
		aliases: words('pending unconfirmed transactions'),
		href: '/chains/{chain}/mempool'
	},
	{ title: 'Tokens', aliases: words('nft assets'), href: '/chains/{chain}/tokens' },
	{
		title: 'Notarizations',
		aliases: words('notaries notarized finality'),
		href: '/chains/{chain}/notarizations'
	},
	{
		title: 'Transfers',
		aliases: words('burns imports cross-chain'),
		href: '/chains/{chain}/transfers'
	},
	{
		title: 'Addresses',
		aliases: words('rich list holders top balance'),
		href: '/chains/{chain}/addresses'
	},
	{
		title: 'Verify a Merkle proof',
		aliases: words('check'),
		href: '/chains/{chain}/proof'
	},
	{ title: 'MoM calculator', aliases: words('merkle root momom'), href: '/chains/{chain}/mom' },
	{ title: 'Imports by block', aliases: words('arrived'), href: '/chains/{chain}/imports' },
	{
		title: 'Burns of a wallet',
		aliases: words('own burns migrations'),
		needs: 'build',
		href: '/chains/{chain}/burns'
	}
];
