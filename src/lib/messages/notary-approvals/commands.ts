/** Steps of a notary operator on the daemons' command line. */
export const COMMANDS = {
	check: (source: string) => `Check the burn on ${source}`,
	build: (destination: string) => `Build the approval on ${destination}`,
	send: (destination: string) => `Send it on ${destination}`,
	give: () => 'Enter its ID here'
} as const;
