import { AppError } from '#lib/server/platform/errors/appError.ts';
import { readConfig } from '../config.ts';
import { table } from '../table.ts';
import type { Verb } from '../verb.ts';

const NODE_SOURCE = { password: 'settings', mm2: 'MM2.json' } as const;
const SOURCE = { password: 'settings', cookie: 'cookie file', conf: '.conf file' } as const;

export const verb: Verb = {
	usage: [
		[
			'discover',
			'lists configured and discovered daemons and trading nodes without connecting to them'
		]
	],
	run(args, { env, out, err }) {
		if (args.length > 0) throw new AppError('usage.no-arguments');
		const config = readConfig(env);
		for (const note of config.notes) err(note);
		if (config.daemons.length === 0 && config.nodes.length === 0) {
			out(`No daemon was found in ${config.komodoHome}. "npm start" starts devnet.`);
		}
		if (config.daemons.length > 0) {
			const rows = config.daemons.map((daemon) => [
				daemon.id,
				daemon.chain,
				daemon.url,
				daemon.purposes.join(','),
				SOURCE[daemon.credentials.kind]
			]);
			const head = ['DAEMON', 'CHAIN', 'ADDRESS', 'PURPOSES', 'LOGIN FROM'];
			for (const line of table(head, rows)) out(line);
		}
		if (config.nodes.length > 0) {
			const rows = config.nodes.map(({ id, url, credentials }) => [
				id,
				url,
				NODE_SOURCE[credentials.kind]
			]);
			for (const line of table(['NODE', 'ADDRESS', 'PASSWORD FROM'], rows)) out(line);
		}
		return Promise.resolve(config.notes.length === 0 ? 0 : 1);
	}
};
