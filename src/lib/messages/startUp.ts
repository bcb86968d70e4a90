/** Texts that the server prints at its start. Scripts parse the line with the URL. */
import { plural } from '#lib/text/plural.ts';

export const START_UP = {
	closed: (n: number, folder: string): string =>
		`${plural(n, 'file or folder', 'files and folders')} in ${folder} could be read by others; now only their owner can.`,
	replaceable: (folder: string): string =>
		`Others may write to ${folder}, so they can put another database or key in its place: take that from them with "chmod go-w ${folder}".`,
	devnet: 'No daemons are configured: starting devnet, whose coins have no value.',
	portTaken: (port: number, remedy: string): string => `Port ${port} is taken; ${remedy}.`,
	portUnusable: (port: number, reason: string): string =>
		`Cannot listen on port ${port} (${reason}).`,
	hostUnusable: (host: string, reason: string): string =>
		`Cannot listen on ${host} (${reason}): set HOST to an address of this machine.`,
	otherPort: {
		pages: 'set PORT to another one',
		upstream: (what: string, id: string): string => `give the ${what} ${id} another one`
	},
	ownPort: (what: string, id: string, address: string): string =>
		`The ${what} ${id} is at ${address}/ for clients that cannot set a path`,
	address: (address: string): string => `Komodeck is at ${address}`,
	firstAccount: (link: string): string => `Create the first account: ${link}`,
	building: 'Building the pages. This takes about half a minute, and is done once.',
	waitsForBuild: 'Another process of this folder is building the pages: waiting for it.',
	built: 'The build is up to date.',
	entryChanged: 'The entry itself has changed: end it and run it again.',
	devnetGone: (why: string): string =>
		`Devnet has ended: ${why}. Its chains are offline until Komodeck is started again.`,
	devnetEnded: (how: string): string => `it ended with ${how}`
} as const;

export const START_ERRORS = {
	build: 'The build failed.',
	unbuilt: (folder: string): string =>
		`The pages have to be built, and this user may not write to ${folder}: run "npm run build" there as the user whose folder it is.`,
	readOnly: (folder: string): string =>
		`The pages have to be built, and the disk of ${folder} takes no changes: run "npm run build" there while it does.`,
	devnet: (why: string): string => `Devnet did not start: ${why}.`,
	devnetTimeout: (seconds: number): string => `Devnet did not respond within ${seconds} s.`
} as const;
