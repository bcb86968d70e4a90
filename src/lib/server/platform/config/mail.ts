/** The mail server for notices, and the target of the audit log stream, from the environment. */

/**
 * `starttls`: starts unencrypted and requires the upgrade to TLS; `tls`: TLS from the first byte; `none`: a
 * relay on a private network.
 */
export const SMTP_TLS = ['starttls', 'tls', 'none'] as const;
export type SmtpTls = (typeof SMTP_TLS)[number];

export interface SmtpConfig {
	host: string;
	port: number;
	tls: SmtpTls;
	user: string | null;
	password: string | null;
	/** Sender address of the mails. */
	from: string;
}

/** Where each event of the audit log is sent. */
export type AuditExportConfig =
	| { kind: 'https'; url: string; token: string | null }
	| { kind: 'syslog'; url: string; host: string; port: number; tls: boolean };

const PORTS: Readonly<Record<SmtpTls, number>> = { starttls: 587, tls: 465, none: 25 };

/** Returns the mail settings; null without a host. */
export function smtpConfig(values: {
	KOMODECK_SMTP_HOST?: string;
	KOMODECK_SMTP_PORT?: string;
	KOMODECK_SMTP_TLS?: string;
	KOMODECK_SMTP_USER?: string;
	KOMODECK_SMTP_PASSWORD?: string;
	KOMODECK_MAIL_FROM?: string;
}): SmtpConfig | null {
	const { KOMODECK_SMTP_HOST: host, KOMODECK_MAIL_FROM: from } = values;
	if (host === undefined || from === undefined) return null;
	const tls = SMTP_TLS.find((one) => one === values.KOMODECK_SMTP_TLS) ?? 'starttls';
	return {
		host,
		port: Number(values.KOMODECK_SMTP_PORT ?? PORTS[tls]),
		tls,
		user: values.KOMODECK_SMTP_USER ?? null,
		password: values.KOMODECK_SMTP_PASSWORD ?? null,
		from
	};
}

/** Whether a text is a valid target for the audit log stream. */
export const isAuditExport = (text: string): boolean => auditExportConfig(text, null) !== null;

/** Parses `https://…`, `syslog://host:port` over TCP or `syslogs://host:port` over TLS; null for anything else. */
export function auditExportConfig(
	text: string | undefined,
	token: string | null
): AuditExportConfig | null {
	if (text === undefined || !URL.canParse(text)) return null;
	const url = new URL(text);
	if (url.username !== '' || url.password !== '') return null;
	if (url.protocol === 'https:') return { kind: 'https', url: url.href, token };
	const tls = url.protocol === 'syslogs:';
	if (!tls && url.protocol !== 'syslog:') return null;
	if (url.hostname === '') return null;
	const host = url.hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
	return { kind: 'syslog', url: text, host, port: Number(url.port || (tls ? 6514 : 601)), tls };
}
