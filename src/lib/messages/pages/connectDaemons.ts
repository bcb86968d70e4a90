/** Texts of the page that finds daemons, checks them, and lists what their configuration lacks. */

/** Placeholders for values that users fill in: credentials are never displayed. */
export const PLACEHOLDERS = {
	user: 'RPCUSER OF THE DAEMON',
	password: 'RPCPASSWORD OF THE DAEMON',
	newUser: 'A USER NAME',
	newPassword: 'A LONG RANDOM PASSWORD',
	pubkey: 'PUBLIC KEY OF THE WALLET, 66 HEX DIGITS',
	address: 'IP ADDRESS OF KOMODECK'
} as const;

/** Example of the file that names daemons of other machines. */
const EXAMPLE = {
	daemons: [
		{
			chain: 'KMD',
			url: 'http://10.0.0.5:7771',
			user: PLACEHOLDERS.user,
			password: PLACEHOLDERS.password
		}
	]
};

export const CONNECT_DAEMONS = {
	title: 'Connect your daemons',
	lead: 'Finds the configuration files of your daemons and checks each daemon now. This page changes no file and no daemon.',
	searched: (home: string): string => `Searched in ${home}.`,
	read: (file: string): string => `Read from ${file}, which KOMODECK_CONFIG names.`,
	nothing: {
		title: 'No daemon was found',
		text: (home: string): string =>
			`Komodeck searches ${home}, where KOMODO_HOME points (default ~/.komodo): start a daemon once, so that its .conf file is there, or set KOMODO_HOME to the folder that holds it. Then restart Komodeck; a daemon on another machine is named in the file of KOMODECK_CONFIG.`
	},
	invalid: 'The configuration cannot be read',
	unused: 'Files that are not used',
	restart: {
		title: 'Restart Komodeck to use every daemon below.',
		text: 'Configuration files are read at the start.',
		devnet: 'Devnet is left out as soon as a daemon is found at the start.'
	},
	facts: {
		file: 'Configuration file',
		address: 'Address',
		connection: 'Used by Komodeck',
		release: 'Release',
		height: 'Height'
	},
	connected: 'Yes',
	notConnected: 'Not before a restart',
	ready: 'Nothing is missing.',
	missing: 'What is missing',
	/** Advice when a daemon refuses the login from its own file, or from that of `KOMODECK_CONFIG`. */
	login: {
		conf: 'Restart the daemon, so that it takes rpcuser and rpcpassword of this file. If it runs with another file, set its login in KOMODECK_CONFIG.',
		entry: 'Copy rpcuser and rpcpassword of the daemon’s .conf file into its entry.'
	},
	block: {
		conf: (file: string | null): string =>
			`Add to ${file ?? 'the daemon’s .conf file'}, then restart the daemon:`,
		reindex: (file: string | null): string =>
			`Add to ${file ?? 'the daemon’s .conf file'}, then start the daemon once with -reindex:`,
		entry: 'Entry of this daemon in the file of KOMODECK_CONFIG:',
		/** Name of the copied text. */
		what: (daemon: string): string => `the configuration lines of ${daemon}`
	},
	elsewhere: {
		title: 'Daemons on another machine',
		text: 'Set KOMODECK_CONFIG to the path of such a file and restart Komodeck. Only the daemons that the file names are used then.',
		what: 'the example of a KOMODECK_CONFIG file',
		example: JSON.stringify(EXAMPLE, null, 2)
	}
} as const;
