/** A mail server of the tests: a real one, on loopback, that keeps what it gets. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { SmtpConfig } from '#lib/server/platform/config/mail.ts';

interface ReceivedMail {
	from: string;
	to: string[];
	/** As it came, headers first. */
	source: string;
}

export interface MailServer {
	smtp: SmtpConfig;
	mails: ReceivedMail[];
	/** From now on with this code, or not any more. */
	refuse(code: number | null): void;
	/** From now on who logs in needs this password. */
	password(next: string): void;
	stop(): Promise<void>;
}

/** A mail server that takes everything, or refuses it. */
export async function startMailServer(): Promise<MailServer> {
	const mails: ReceivedMail[] = [];
	let refusal: Error | null = null;
	let password = '';
	const server = new SMTPServer({
		authOptional: true,
		allowInsecureAuth: true,
		onAuth(auth, _session, done) {
			if (auth.password === password) return done(null, { user: auth.username });
			done(Object.assign(new Error('wrong password'), { responseCode: 535 }));
		},
		disabledCommands: ['STARTTLS'],
		onData(stream, session, done) {
			const chunks: Buffer[] = [];
			stream.on('data', (chunk: Buffer) => chunks.push(chunk));
			stream.on('end', () => {
				if (refusal !== null) return done(refusal);
				const { mailFrom, rcptTo } = session.envelope;
				mails.push({
					from: mailFrom === false ? '' : mailFrom.address,
					to: rcptTo.map(({ address }) => address),
					source: Buffer.concat(chunks).toString('utf8')
				});
				done();
			});
		}
	});
	await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
	const { port } = server.server.address() as AddressInfo;
	const smtp: SmtpConfig = {
		host: '127.0.0.1',
		port,
		tls: 'none',
		user: null,
		password: null,
		from: 'komodeck@example.org'
	};
	return {
		smtp,
		mails,
		refuse(code) {
			refusal = code === null ? null : Object.assign(new Error('not now'), { responseCode: code });
		},
		password(next) {
			password = next;
		},
		stop: () => new Promise<void>((done) => server.close(() => done()))
	};
}

/** The text of a mail without its line breaks of transport. */
export const textOf = ({ source }: ReceivedMail): string =>
	source.replaceAll('=\r\n', '').replaceAll('=3D', '=');
