# Writes a workbook with Excel::Writer::XLSX or Spreadsheet::WriteExcel: `sheet-makers.pl MODULE BOOK.json OUTPUT`.
use strict;
use warnings;
use JSON::PP;

my ($module, $source, $output) = @ARGV;
eval "require $module" or die $@;
open(my $file, '<:raw', $source) or die $!;
my $book = decode_json(join('', <$file>));
my $target = $module->new($output) or die "cannot write $output";
$target->set_properties(title => $book->{title}, author => $book->{author});
for my $sheet (@{$book->{sheets}}) {
  my $page = $target->add_worksheet($sheet->{name});
  for my $y (0 .. $#{$sheet->{rows}}) {
    my $row = $sheet->{rows}[$y];
    for my $x (0 .. $#$row) {
      my $cell = $row->[$x] or next;
      my $style = $target->add_format(num_format => $cell->{format} // 'General', bold => $cell->{bold} ? 1 : 0);
      $style->set_bg_color('yellow') if $cell->{fill};
      my ($kind, $value) = ($cell->{kind}, $cell->{serial} // $cell->{value});
      if ($cell->{formula}) { $page->write_formula($y, $x, "=$cell->{formula}", $style, $value) }
      elsif ($cell->{link}) { $page->write_url($y, $x, $cell->{link}, $style, $value) }
      elsif ($kind eq 'boolean') {
        if ($page->can('write_boolean')) { $page->write_boolean($y, $x, $value eq 'true' ? 1 : 0, $style) }
        else { $page->write_formula($y, $x, '=' . uc($value), $style, uc($value)) }
      }
      elsif ($kind eq 'text') { $page->write_string($y, $x, $value, $style) }
      else { $page->write_number($y, $x, $value, $style) }
      $page->write_comment($y, $x, $cell->{note}) if $cell->{note};
    }
  }
  my %widths = %{$sheet->{widths} // {}};
  $page->set_column($_, $_, $widths{$_}) for keys %widths;
  $page->set_row($_, undef, undef, 1) for @{$sheet->{hiddenRows} // []};
  $page->set_column($_, $_, undef, undef, 1) for @{$sheet->{hiddenColumns} // []};
  for my $area (@{$sheet->{merged} // []}) {
    my ($column, $row) = $area =~ /^([A-Z])(\d+)/;
    $page->merge_range($area, $sheet->{rows}[$row - 1][ord($column) - 65]{value}, $target->add_format());
  }
  $page->hide() if $sheet->{hidden};
}
$target->close();
