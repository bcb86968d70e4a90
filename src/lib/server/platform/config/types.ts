import type { Dialect } from '#lib/rpc/codec.ts';
import type { FurtherAccess } from '#lib/rpc/daemon/furtherMethods.ts';
import type { KdfDialect } from '#lib/rpc/kdf/index.ts';
import type { ProxyHeader } from '../net/callerAddress.ts';
import type { RequestHost } from '../net/host.ts';
import type { ListedPrivate } from '../net/ranges.ts';
import type { FinalityRule } from './finality.ts';
import type { AuditExportConfig, SmtpConfig } from './mail.ts';
import type { Role } from './roles.ts';

/** What a daemon is used for: reading the chain, creating transactions with its wallet, acting as a notary. */
export type Purpose = 'read' | 'wallet' | 'notary';

/** Where the credentials of a daemon come from; files are read again when the daemon refuses the login. */
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
	/** Null: detected from the daemon's `getinfo`. */
	dialect: Dialect | null;
	acImport: string | null;
	acPubkey: string | null;
	dataCarrierSize: number | null;
	/** Read-only methods beyond the registry, with the access class that an admin assigned to each. */
	furtherMethods?: ReadonlyMap<string, FurtherAccess>;
	/** A dedicated port for clients that cannot set a path: the RPC API of this daemon alone, at `/`. */
	port?: number;
	/** Values that `getinfo` must report; null where the configuration does not know them. */
	expect: { ccid: number | null; pubkey: string | null };
}

/**
 * Where the RPC password of a trading node comes from; `mm2`: its settings file, read again when an admin asks
 * for it.
 */
export type KdfCredentials = { kind: 'password'; password: string } | { kind: 'mm2'; file: string };

/** The certificate that an upstream must present over https when no known authority signed it. */
export type CertificateTrust =
	/** SHA-256 of the certificate itself, 64 lowercase hex digits. */
	| { kind: 'sha256'; sha256: string }
	/** A PEM file with the certificate, or with that of the issuing authority. */
	| { kind: 'file'; file: string };

/** One trading node as configured or discovered. */
export interface KdfConfig {
	id: string;
	/** `http://host:port/` or https, without user information. */
	url: string;
	credentials: KdfCredentials;
	/** When absent, the system's certificate authorities decide. */
	trust?: CertificateTrust;
	/** Null: detected by a request. */
	dialect: KdfDialect | null;
	/** A dedicated port for clients that cannot set a path: the RPC API of this node alone. */
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
	/** Null: a public client. Never displayed. */
	clientSecret: string | null;
	/** Scopes separated by spaces. */
	scopes: string;
	/** Path to the claim that decides the role, one member per element; null: roles are assigned in Komodeck. */
	roleClaim: readonly string[] | null;
	/** The role for each value of the claim; the first match wins. */
	roles: readonly (readonly [value: string, role: Role])[];
	accounts: 'first-login' | 'invitation';
	/** Display name of the provider; null: its host name. */
	label: string | null;
	/** Accepted domains of verified email addresses, lowercase; empty: all. */
	domains: readonly string[];
}

/** Everything that the environment and the configuration file determine. */
export interface Config {
	/** HOST: address to listen on; loopback unless set. */
	host: string;
	port: number;
	/** Absolute path of the data folder. */
	dataDir: string;
	databaseUrl: string | null;
	/** DATABASE_READ_URL: a hot standby of the database, for reads that can be served there. */
	databaseReadUrl: string | null;
	/** Public origin, such as `https://deck.example.org`, when a reverse proxy is in front. */
	origin: string | null;
	/** KOMODECK_HOSTS: further host names that requests may use. */
	hosts: readonly RequestHost[];
	/** The first account, created at start when there is none. */
	admin: AdminAccount | null;
	/** The first indexed height, by chain; genesis for chains that are not named. */
	indexFrom: ReadonlyMap<string, number>;
	/** KOMODECK_INDEX_DISK_RESERVE: space that the index leaves free on the disk of the data folder, in bytes. */
	indexDiskReserve: number;
	/** KOMODECK_FINALITY: when a block is final, by chain; the default rule for chains that are not named. */
	finality: ReadonlyMap<string, FinalityRule>;
	/** Page requests that one person may make within ten seconds. */
	requestsPer10s: number;
	/** Calls of the RPC API that one person may make within ten seconds. */
	callsPer10s: number;
	/** Seconds that a stopping server continues to answer, so that a load balancer can switch to others. */
	drainSeconds: number;
	/** Minimum days that audit events are kept; null: forever. */
	auditDays: number | null;
	/** KOMODECK_FUNGIBLE_TOKENS: whether fungible tokens may migrate. */
	fungibleTokens: boolean;
	/** ADDRESS_HEADER, XFF_DEPTH: where a reverse proxy writes the client's address; null: no proxy. */
	proxyHeader: ProxyHeader | null;
	/** Whether visitors may browse without signing in. */
	publicBrowsing: boolean;
	/** Null: members sign in with passwords. */
	signOn: SignOnConfig | null;
	/** Absolute path of the folder in which daemons are discovered. */
	komodoHome: string;
	daemons: readonly DaemonConfig[];
	/** Trading nodes. */
	nodes: readonly KdfConfig[];
	/** The `coins` file of the trading nodes, or `coins_config.json`; null when there is none. */
	coinsFile: string | null;
	/** Private addresses, ranges and names that requests to user-supplied servers may reach. */
	privateServers: readonly ListedPrivate[];
	/** The mail server for notices; null: no notices by email. */
	smtp: SmtpConfig | null;
	/** Target that audit events are streamed to; null: none. */
	auditExport: AuditExportConfig | null;
	/** Why something that discovery found cannot be used, one sentence each. */
	notes: readonly string[];
}
