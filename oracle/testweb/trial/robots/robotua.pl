# A spider on LWP::RobotUA, which asks robots.txt and waits by itself. It follows every link.
# Arguments: the minutes between two requests to a server; without any, RobotUA's own minute.
use strict;
use warnings;
use HTML::LinkExtor;
use LWP::RobotUA;

my $ua = LWP::RobotUA->new("TrialBot/1.0 (+https://example.org/robot)", 'trial@example.org');
$ua->delay($ARGV[0]) if @ARGV;

my @queue = ($ENV{START});
my %seen = ($ENV{START} => 1);
while (defined(my $url = shift @queue)) {
	my $response = $ua->get($url);
	next unless $response->is_success && $response->content_type eq "text/html";
	my $parser = HTML::LinkExtor->new(undef, $response->base);
	$parser->parse($response->decoded_content // $response->content);
	for my $found ($parser->links) {
		my ($tag, %attribute) = @$found;
		next unless $tag eq "a" && $attribute{href};
		my $link = $attribute{href}->canonical;
		$link->fragment(undef);
		push @queue, "$link" if $link =~ /^https?:/ && !$seen{$link}++;
	}
}
