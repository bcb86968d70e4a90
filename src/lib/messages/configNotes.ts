/** Problems of settings and configuration files, as lines of an error or of the startup log. */
export const CONFIG_NOTES = {
	adminIncomplete: 'KOMODECK_ADMIN_USER and KOMODECK_ADMIN_PASSWORD must be set together.',
	noSetting: (name: string): string =>
		`${name} is no setting of Komodeck, so it does nothing. The settings are in .env.example.`,
	alone: (name: string, partner: string): string =>
		`${name} does nothing without ${partner}, which is not set.`,
	tokenOfSyslog:
		'KOMODECK_AUDIT_EXPORT_TOKEN does nothing: KOMODECK_AUDIT_EXPORT is a syslog server, which takes none.',
	depthOfOther:
		'XFF_DEPTH does nothing: ADDRESS_HEADER is not X-Forwarded-For, and holds one address.',
	standbyAlone: 'DATABASE_READ_URL needs DATABASE_URL, the database of which it is a standby.',
	signOnIncomplete: 'KOMODECK_SIGN_ON_ISSUER and KOMODECK_SIGN_ON_CLIENT_ID must be set together.',
	signOnRolesIncomplete:
		'KOMODECK_SIGN_ON_ROLE_CLAIM and KOMODECK_SIGN_ON_ROLES must be set together.',
	signOnOrigin:
		'Single sign-on needs KOMODECK_ORIGIN, the address to which the provider sends browsers back, because this server listens to other machines.',
	signOnSecretEmpty: (file: string): string => `${file}, the secret of single sign-on, is empty.`,
	mailIncomplete: 'KOMODECK_SMTP_HOST and KOMODECK_MAIL_FROM must be set together.',
	chainTwice: (name: string, chain: string): string => `${name} names ${chain} twice.`,
	chainUnknown: (name: string, chain: string): string =>
		`${name} names ${chain}, and no daemon of that chain is configured.`,
	unreadable: (file: string): string => `${file} cannot be read by this user.`,
	noPort: (file: string): string =>
		`${file} has no rpcport: the daemon writes one when it starts for the first time.`,
	invalidPort: (file: string): string => `${file} has an rpcport that is not a port.`,
	secondDaemon: (file: string, id: string): string =>
		`${file} names a second daemon called ${id}; it is ignored.`,
	severalConfs: (folder: string): string =>
		`${folder} holds several .conf files; the folder is ignored.`,
	daemonsOfId: (file: string, id: string): string =>
		`${file}: two daemons are called ${id}; give each an "id".`,
	daemonsOnPort: (file: string, port: number | undefined): string =>
		`${file}: two daemons have the port ${port}.`,
	upstreamsOfId: (file: string, id: string): string =>
		`${file}: two upstreams are called ${id}; give each an "id".`,
	upstreamsOnPort: (file: string, port: number): string =>
		`${file}: two upstreams have the port ${port}.`,
	/** @param where name of the setting */
	noTarget: (where: string, line: string): string =>
		`${where}: "${line}" is no address, range or name such as 10.0.0.0/8, 127.0.0.1:50001 or electrum.local.`
} as const;
