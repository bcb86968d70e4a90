import type { FurtherAccess } from '#lib/rpc/daemon/furtherMethods.ts';
import type { RequestHost } from '../http/host.ts';
import type { ProxyHeader } from '../net/callerAddress.ts';
import type { ListedPrivate } from '../net/ranges.ts';
import type { FinalityRule } from './finality.ts';
import type { AuditExportConfig, SmtpConfig } from './mail.ts';

/** What a daemon is used for: reading the chain, building with its wallet, acting as a notary. */
export type Purpose = 'read' | 'wallet' | 'notary';

/** How a daemon spells parameters and results: as release 0.9.0 does, or as the interface document says. */
export type Dialect = 'komodod' | 'seed';

/** Where the credentials of a daemon come from; files are read again when the daemon refuses them. */
export type Credentials =
	| { kind: 'password'; user: string; password: string }
	| { kind: 'cookie'; file: string }
	| { kind: 'conf'; file: string };

/** One daemon as configured or discovered. */
export interface DaemonConfig {
	id: string;
	chain: string;
	/** `http://host:port/` or https, without user information. */
	url: string;
	credentials: Credentials;
	purposes: readonly Purpose[];
	/** Null: found out from the daemon's `getinfo`. */
	dialect: Dialect | null;
	acImport: string | null;
	acPubkey: string | null;
	dataCarrierSize: number | null;
	/** Methods beside the registry's that pass as reads, with the class that an admin gave each. */
	furtherMethods?: ReadonlyMap<string, FurtherAccess>;
	/** A port of its own for clients that cannot set a path: the RPC API of this daemon alone, at `/`. */
	port?: number;
	/** What `getinfo` must say, when the configuration knows. */
	expect: { ccid: number | null; pubkey: string | null };
}

/** How a trading node spells: as the released node does, or as the interface document says. */
export type KdfDialect = 'kdf' | 'seed';

/** Where the password of a trading node comes from; `mm2`: its own settings, read anew when an admin says so. */
export type KdfCredentials = { kind: 'password'; password: string } | { kind: 'mm2'; file: string };

/** The certificate that an upstream must show over https, where no known authority signed it. */
export type CertificateTrust =
	/** SHA-256 of the certificate itself, 64 small hex digits. */
	| { kind: 'sha256'; sha256: string }
	/** A PEM file with the certificate, or with that of the authority that signed it. */
	| { kind: 'file'; file: string };

/** One trading node as configured or discovered. */
export interface KdfConfig {
	id: string;
	/** `http://host:port/` or https, without user information. */
	url: string;
	credentials: KdfCredentials;
	/** Left out: the usual authorities decide. */
	trust?: CertificateTrust;
	/** Null: found out by asking. */
	dialect: KdfDialect | null;
	/** A port of its own for clients that cannot set a path: the RPC API of this node alone. */
	port?: number;
}

export interface AdminAccount {
	user: string;
	password: string;
}

/** Single sign-on by OpenID Connect. */
export interface SignOnConfig {
	/** As the provider spells it in its ID tokens. */
	issuer: string;
	clientId: string;
	/** Null: a public client. Shown nowhere. */
	clientSecret: string | null;
	/** Words with a space between. */
	scopes: string;
	/** The way to the claim that decides the role, by member; null: roles are given here. */
	roleClaim: readonly string[] | null;
	/** The role of each value of the claim, in the order in which they count. */
	roles: readonly (readonly [value: string, role: 'viewer' | 'operator' | 'notary' | 'admin'])[];
	accounts: 'first-login' | 'invitation';
	/** What the provider is called; null: by its host name. */
	label: string | null;
	/** Domains of verified email addresses, small letters; empty: all. */
	domains: readonly string[];
}

/** Everything that the environment and the configuration file decide. */
export interface Config {
	/** HOST: where to listen; only this machine unless set. */
	host: string;
	port: number;
	/** Absolute path of the data folder. */
	dataDir: string;
	databaseUrl: string | null;
	/** DATABASE_READ_URL: a hot standby of the database, for what may be read there. */
	databaseReadUrl: string | null;
	/** Public origin, such as `https://deck.example.org`, when a proxy stands in front. */
	origin: string | null;
	/** KOMODECK_HOSTS: further names under which the server is asked. */
	hosts: readonly RequestHost[];
	/** First account, made on start when there is none. */
	admin: AdminAccount | null;
	/** The first height that is indexed, by chain; genesis for a chain that is not named. */
	indexFrom: ReadonlyMap<string, number>;
	/** KOMODECK_INDEX_DISK_RESERVE: room on the disk of the data folder that the index leaves, in bytes. */
	indexDiskReserve: number;
	/** KOMODECK_FINALITY: when a block is final, by chain; the usual rule for a chain that is not named. */
	finality: ReadonlyMap<string, FinalityRule>;
	/** What one person may ask of pages within ten seconds. */
	requestsPer10s: number;
	/** How many calls one person may make by the RPC API within ten seconds. */
	callsPer10s: number;
	/** How long a server that was asked to end answers, so that a load balancer can turn to others. */
	drainSeconds: number;
	/** Days that audit rows are kept at least; null: for ever. */
	auditDays: number | null;
	/** KOMODECK_FUNGIBLE_TOKENS: whether fungible tokens may migrate. */
	fungibleTokens: boolean;
	/** ADDRESS_HEADER, XFF_DEPTH: where a proxy in front writes the address of a request; null: no proxy. */
	proxyHeader: ProxyHeader | null;
	/** Browsing without a login. */
	publicBrowsing: boolean;
	/** Null: members log in with their passwords. */
	signOn: SignOnConfig | null;
	/** Absolute path of the folder in which daemons are discovered. */
	komodoHome: string;
	daemons: readonly DaemonConfig[];
	/** Trading nodes. */
	nodes: readonly KdfConfig[];
	/** The `coins` file of the trading nodes, or `coins_config.json`; null when there is none. */
	coinsFile: string | null;
	/** Private addresses, ranges and names that requests to named servers may reach. */
	privateServers: readonly ListedPrivate[];
	/** The mail server for notices; null: none go by email. */
	smtp: SmtpConfig | null;
	/** Where audit events are streamed to; null: nowhere. */
	auditExport: AuditExportConfig | null;
	/** What discovery found but could not use, each a sentence. */
	notes: readonly string[];
}
